// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The two functions of Multicall3 that the wallet calls: https://github.com/mds1/multicall3
contract Multicall {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory answer) = calls[i].target.call(calls[i].callData);
            require(success || calls[i].allowFailure, "Multicall3: call failed");
            results[i] = Result(success, answer);
        }
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }
}
