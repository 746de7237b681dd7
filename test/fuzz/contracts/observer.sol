// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Replaces the actor's code, makes the actor's calls, and then reads the resulting state of the contracts.
contract Observer {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    struct Case {
        Call[] acts;
        Call[] probes;
    }

    error Observed(uint256[] words);

    /// Returns the words that each case's probes read. The effects of each case are reverted.
    function observe(Case[] calldata cases) external returns (uint256[][] memory observed) {
        observed = new uint256[][](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            (, bytes memory thrown) = address(this).call(abi.encodeCall(this.act, (cases[i])));
            assembly {
                let length := sub(mload(thrown), 4)
                thrown := add(thrown, 4)
                mstore(thrown, length)
            }
            observed[i] = abi.decode(thrown, (uint256[]));
        }
    }

    /// Makes the calls of a case, and reverts with the words that its probes read.
    function act(Case calldata one) external {
        for (uint256 i = 0; i < one.acts.length; i++) {
            Call calldata made = one.acts[i];
            (bool done,) = made.to.call{value: made.value, gas: 3_000_000}(made.data);
            done;
        }
        uint256[] memory words = new uint256[](one.probes.length);
        for (uint256 i = 0; i < words.length; i++) {
            Call calldata probe = one.probes[i];
            if (probe.data.length == 0) {
                words[i] = probe.to.balance;
                continue;
            }
            (bool done, bytes memory answer) = probe.to.staticcall{gas: 100_000}(probe.data);
            if (done && answer.length >= 32) words[i] = uint256(bytes32(answer));
        }
        revert Observed(words);
    }
}
