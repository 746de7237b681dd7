// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import "./signed.sol";

interface Movable {
    function transferFrom(address from, address to, uint256 value) external;
}

/// Allowances and transfers by signature, as in Permit2. https://github.com/Uniswap/permit2
abstract contract Permit2Ledger is Signed {
    struct Allowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitDetails {
        address token;
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitSingle {
        PermitDetails details;
        address spender;
        uint256 sigDeadline;
    }

    struct PermitBatch {
        PermitDetails[] details;
        address spender;
        uint256 sigDeadline;
    }

    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct PermitBatchTransferFrom {
        TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct Detail {
        address from;
        address to;
        uint160 amount;
        address token;
    }

    string private constant DETAILS = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
    string private constant PERMISSIONS = "TokenPermissions(address token,uint256 amount)";

    mapping(address => mapping(address => mapping(address => Allowance))) public allowance;
    mapping(address => mapping(uint256 => bool)) private used;

    function separator() private view returns (bytes32) {
        bytes32 kind = keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(kind, keccak256("Permit2"), block.chainid, address(this)));
    }

    function allow(address owner, address token, address spender, uint160 amount, uint48 expiration) internal {
        Allowance storage given = allowance[owner][token][spender];
        given.amount = amount;
        given.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
    }

    function take(address from, address to, uint160 amount, address token) internal {
        Allowance storage given = allowance[from][token][msg.sender];
        if (msg.sender != from) {
            require(block.timestamp <= given.expiration, "expired");
            given.amount -= amount;
        }
        Movable(token).transferFrom(from, to, amount);
    }

    function hashOf(PermitDetails memory details) private pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(bytes(DETAILS)), details));
    }

    function grant(address owner, address spender, PermitDetails memory details) private {
        require(allowance[owner][details.token][spender].nonce++ == details.nonce, "nonce");
        allow(owner, details.token, spender, details.amount, details.expiration);
    }

    function permit(address owner, PermitSingle memory permitSingle, bytes calldata signature) external {
        bytes32 kind = keccak256(
            bytes(string.concat("PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", DETAILS))
        );
        bytes32 hash = keccak256(
            abi.encode(kind, hashOf(permitSingle.details), permitSingle.spender, permitSingle.sigDeadline)
        );
        require(block.timestamp <= permitSingle.sigDeadline, "deadline");
        require(recover(separator(), hash, signature) == owner, "permit");
        grant(owner, permitSingle.spender, permitSingle.details);
    }

    function permit(address owner, PermitBatch memory permitBatch, bytes calldata signature) external {
        bytes32 kind = keccak256(
            bytes(string.concat("PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)", DETAILS))
        );
        bytes32[] memory hashes = new bytes32[](permitBatch.details.length);
        for (uint256 i = 0; i < hashes.length; i++) hashes[i] = hashOf(permitBatch.details[i]);
        bytes32 hash = keccak256(
            abi.encode(kind, keccak256(abi.encodePacked(hashes)), permitBatch.spender, permitBatch.sigDeadline)
        );
        require(block.timestamp <= permitBatch.sigDeadline, "deadline");
        require(recover(separator(), hash, signature) == owner, "permit");
        for (uint256 i = 0; i < hashes.length; i++) grant(owner, permitBatch.spender, permitBatch.details[i]);
    }

    /// Transfers everything that is permitted to the caller.
    function permitTransferFrom(PermitTransferFrom calldata asked, address owner, bytes calldata signature) external {
        bytes32 kind = keccak256(
            bytes(
                string.concat(
                    "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)",
                    PERMISSIONS
                )
            )
        );
        bytes32 permitted = keccak256(abi.encode(keccak256(bytes(PERMISSIONS)), asked.permitted));
        bytes32 hash = keccak256(abi.encode(kind, permitted, msg.sender, asked.nonce, asked.deadline));
        require(recover(separator(), hash, signature) == owner, "permit");
        useNonce(owner, asked.nonce, asked.deadline);
        takeAll(asked.permitted, owner);
    }

    function permitTransferFrom(PermitBatchTransferFrom calldata asked, address owner, bytes calldata signature)
        external
    {
        bytes32 kind = keccak256(
            bytes(
                string.concat(
                    "PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)",
                    PERMISSIONS
                )
            )
        );
        bytes32[] memory hashes = new bytes32[](asked.permitted.length);
        for (uint256 i = 0; i < hashes.length; i++)
            hashes[i] = keccak256(abi.encode(keccak256(bytes(PERMISSIONS)), asked.permitted[i]));
        bytes32 permitted = keccak256(abi.encodePacked(hashes));
        bytes32 hash = keccak256(abi.encode(kind, permitted, msg.sender, asked.nonce, asked.deadline));
        require(recover(separator(), hash, signature) == owner, "permit");
        useNonce(owner, asked.nonce, asked.deadline);
        for (uint256 i = 0; i < hashes.length; i++) takeAll(asked.permitted[i], owner);
    }

    function useNonce(address owner, uint256 nonce, uint256 deadline) private {
        require(block.timestamp <= deadline && !used[owner][nonce], "not valid");
        used[owner][nonce] = true;
    }

    function takeAll(TokenPermissions calldata permitted, address owner) private {
        (, bytes memory answer) = permitted.token.staticcall(abi.encodeWithSignature("balanceOf(address)", owner));
        uint256 held = abi.decode(answer, (uint256));
        Movable(permitted.token).transferFrom(owner, msg.sender, permitted.amount < held ? permitted.amount : held);
    }

    function each(bytes[] memory calls) internal {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done,) = address(this).delegatecall(calls[i]);
            require(done, "call");
        }
    }
}

contract StrictPermit2 is Permit2Ledger {
    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        allow(msg.sender, token, spender, amount, expiration);
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        take(from, to, amount, token);
    }

    function transferFrom(Detail[] calldata details) external {
        for (uint256 i = 0; i < details.length; i++)
            take(details[i].from, details[i].to, details[i].amount, details[i].token);
    }

    function multicall(bytes[] calldata data) external {
        each(data);
    }

    function multicall(uint256, bytes[] calldata data) external {
        each(data);
    }
}

contract LenientPermit2 is Permit2Ledger, Lenient {
    fallback() external {
        bytes4 called = msg.sig;
        if (called == 0x87517c45) allow(msg.sender, account(0), account(1), uint160(number(2)), uint48(number(3)));
        else if (called == 0x36c78516) take(account(0), account(1), uint160(number(2)), account(3));
        else if (called == 0x0d58b1db) takeEach();
        else if (called == 0xac9650d8) each(list(0));
        else if (called == 0x5ae401dc) each(list(1));
        else revert("function");
    }

    function takeEach() private {
        uint256 start = 4 + size(4);
        uint256 length = size(start);
        require(length < 100, "length");
        for (uint256 at = start + 32; length > 0; length--) {
            take(
                address(uint160(word(at))),
                address(uint160(word(at + 32))),
                uint160(word(at + 64)),
                address(uint160(word(at + 96)))
            );
            at += 128;
        }
    }
}
