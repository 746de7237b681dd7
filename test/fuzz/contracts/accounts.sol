// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import "./signed.sol";

struct UserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    uint256 callGasLimit;
    uint256 verificationGasLimit;
    uint256 preVerificationGas;
    uint256 maxFeePerGas;
    uint256 maxPriorityFeePerGas;
    bytes paymasterAndData;
    bytes signature;
}

struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
}

/// Common parts of the accounts below: an owner, and calls on behalf of the account.
abstract contract Owned is Signed {
    address public owner;

    receive() external payable {}

    function callAs(address to, uint256 value, bytes memory data) internal {
        (bool done,) = to.call{value: value}(data);
        require(done, "call");
    }
}

/// The first storage slot of a proxy: the address whose code it runs.
abstract contract Singleton {
    address private singleton;
}

interface Payable {
    function transfer(address to, uint256 value) external;
}

/// A wallet with one owner. https://github.com/safe-global/safe-smart-account
contract Safe is Singleton, Owned {
    uint256 private chain;

    /// Signatures are valid on this chain, whatever the node's chain id is.
    function start(address owner_, uint256 chain_) external {
        (owner, chain) = (owner_, chain_);
    }

    function getOwners() external view returns (address[] memory owners) {
        owners = new address[](1);
        owners[0] = owner;
    }

    struct SafeTx {
        address to;
        uint256 value;
        bytes data;
        uint8 operation;
        uint256 safeTxGas;
        uint256 baseGas;
        uint256 gasPrice;
        address gasToken;
        address payable refundReceiver;
        bytes signatures;
    }

    function execTransaction(
        address,
        uint256,
        bytes calldata,
        uint8,
        uint256,
        uint256,
        uint256,
        address,
        address payable,
        bytes calldata
    ) external payable returns (bool) {
        return carryOut(abi.decode(bytes.concat(bytes32(uint256(32)), msg.data[4:]), (SafeTx)));
    }

    function carryOut(SafeTx memory asked) private returns (bool done) {
        if (msg.sender != owner) require(recover(separator(), hashOf(asked), asked.signatures) == owner, "signature");
        uint256 used = gasleft();
        uint256 most = asked.gasPrice == 0 ? gasleft() - 2500 : asked.safeTxGas;
        (done,) = asked.operation == 1
            ? asked.to.delegatecall{gas: most}(asked.data)
            : asked.to.call{value: asked.value, gas: most}(asked.data);
        used -= gasleft();
        require(done || asked.safeTxGas != 0 || asked.gasPrice != 0, "call");
        if (asked.gasPrice > 0) refund(used + asked.baseGas, asked.gasPrice, asked.gasToken, asked.refundReceiver);
    }

    function hashOf(SafeTx memory asked) private pure returns (bytes32) {
        bytes32 kind = keccak256(
            "SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)"
        );
        bytes memory head =
            abi.encode(kind, asked.to, asked.value, keccak256(asked.data), asked.operation, asked.safeTxGas);
        bytes memory rest =
            abi.encode(asked.baseGas, asked.gasPrice, asked.gasToken, asked.refundReceiver, uint256(0));
        return keccak256(bytes.concat(head, rest));
    }

    /// The gas price in coins is at most the transaction's own.
    function refund(uint256 amount, uint256 gasPrice, address gasToken, address payable refundReceiver) private {
        address payable receiver = refundReceiver == address(0) ? payable(tx.origin) : refundReceiver;
        if (gasToken == address(0)) {
            require(receiver.send(amount * (gasPrice < tx.gasprice ? gasPrice : tx.gasprice)), "coins");
        } else {
            Payable(gasToken).transfer(receiver, amount * gasPrice);
        }
    }

    function separator() private view returns (bytes32) {
        return keccak256(
            abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), chain, address(this))
        );
    }
}

/// Several calls in one delegatecall: operation, address, value, length and bytes, without padding.
contract MultiSend {
    function multiSend(bytes memory transactions) external payable {
        assembly {
            let end := add(add(transactions, 32), mload(transactions))
            for { let at := add(transactions, 32) } lt(at, end) {} {
                let operation := byte(0, mload(at))
                let to := shr(96, mload(add(at, 1)))
                let value := mload(add(at, 21))
                let length := mload(add(at, 53))
                let done := 0
                switch operation
                case 0 { done := call(gas(), to, value, add(at, 85), length, 0, 0) }
                case 1 { done := delegatecall(gas(), to, add(at, 85), length, 0, 0) }
                if iszero(done) { revert(0, 0) }
                at := add(at, add(85, length))
            }
        }
    }
}

/// Calls on behalf of any sender, with coins. https://github.com/mds1/multicall3
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || calls[i].allowFailure, "call");
        }
    }

    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) =
                calls[i].target.call{value: calls[i].value}(calls[i].callData);
            require(results[i].success || calls[i].allowFailure, "call");
        }
    }
}

/// A smart account with one owner. Only itself, its owner or the entry point can make it act.
contract Account is Owned {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    address private entryPoint;

    modifier driven() {
        require(msg.sender == owner || msg.sender == entryPoint || msg.sender == address(this), "caller");
        _;
    }

    function start(address owner_, address entryPoint_) external {
        (owner, entryPoint) = (owner_, entryPoint_);
    }

    function execute(address to, uint256 value, bytes calldata data) external driven {
        callAs(to, value, data);
    }

    function executeBatch(address[] calldata to, bytes[] calldata data) external driven {
        for (uint256 i = 0; i < to.length; i++) callAs(to[i], 0, data[i]);
    }

    function executeBatch(address[] calldata to, uint256[] calldata values, bytes[] calldata data) external driven {
        for (uint256 i = 0; i < to.length; i++) callAs(to[i], values.length == 0 ? 0 : values[i], data[i]);
    }

    function executeBatch(Call[] calldata calls) external driven {
        for (uint256 i = 0; i < calls.length; i++) callAs(calls[i].target, calls[i].value, calls[i].data);
    }

    /// https://eips.ethereum.org/EIPS/eip-7579: one packed call, or a list of calls.
    function execute(bytes32 mode, bytes calldata content) external driven {
        if (mode[0] == 0) {
            callAs(address(bytes20(content[:20])), uint256(bytes32(content[20:52])), content[52:]);
        } else {
            Call[] memory calls = abi.decode(content, (Call[]));
            for (uint256 i = 0; i < calls.length; i++) callAs(calls[i].target, calls[i].value, calls[i].data);
        }
    }
}

/// The parts of https://eips.ethereum.org/EIPS/eip-4337 that check signatures and execute operations.
contract EntryPoint is Signed {
    function handleOps(UserOperation[] calldata ops, address payable) external {
        for (uint256 i = 0; i < ops.length; i++) {
            require(Owned(payable(ops[i].sender)).owner() == tx.origin, "signature");
            carryOut(ops[i].sender, ops[i].callData);
        }
    }

    function handleOps(PackedUserOperation[] calldata ops, address payable) external {
        for (uint256 i = 0; i < ops.length; i++) {
            address owner = Owned(payable(ops[i].sender)).owner();
            require(owner == tx.origin || signerOf(ops[i]) == owner, "signature");
            carryOut(ops[i].sender, ops[i].callData);
        }
    }

    function carryOut(address sender, bytes calldata data) private {
        (bool done,) = sender.call(data);
        require(done, "call");
    }

    function signerOf(PackedUserOperation calldata op) private view returns (address) {
        bytes32 kind = keccak256(
            "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)"
        );
        bytes memory head = abi.encode(kind, op.sender, op.nonce, keccak256(op.initCode), keccak256(op.callData));
        bytes memory rest =
            abi.encode(op.accountGasLimits, op.preVerificationGas, op.gasFees, keccak256(op.paymasterAndData));
        return recover(separatorOf("ERC4337", "1"), keccak256(bytes.concat(head, rest)), op.signature);
    }
}

/// https://eips.ethereum.org/EIPS/eip-2771: calls a contract that reads the sender from the end of the calldata.
contract Forwarder is Signed {
    struct ForwardRequestData {
        address from;
        address to;
        uint256 value;
        uint256 gas;
        uint48 deadline;
        bytes data;
        bytes signature;
    }

    function execute(ForwardRequestData calldata request) external payable {
        bytes32 kind = keccak256(
            "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)"
        );
        bytes memory head = abi.encode(kind, request.from, request.to, request.value, request.gas, uint256(0));
        bytes memory rest = abi.encode(request.deadline, keccak256(request.data));
        require(
            request.from == tx.origin
                || recover(separatorOf("Forwarder", "1"), keccak256(bytes.concat(head, rest)), request.signature)
                    == request.from,
            "signature"
        );
        (bool done,) = request.to.call(abi.encodePacked(request.data, request.from));
        require(done, "call");
    }
}

/// https://eips.ethereum.org/EIPS/eip-1967: the test writes the implementation's address directly to its slot.
contract Proxy {
    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let implementation := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            let done := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
