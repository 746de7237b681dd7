// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import "./signed.sol";

/// An ERC-20 with permits, authorizations and a forwarder.
abstract contract TokenLedger is Signed {
    uint256 private constant EACH = 1000 ether;
    uint8 public constant decimals = 18;

    uint256 public totalSupply;
    address private forwarder;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;
    mapping(bytes32 => bool) private used;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function symbol() external pure virtual returns (string memory) {
        return "FZZ";
    }

    /// Replaces a constructor, which would not run for a proxy. The holders give the spenders unlimited allowances.
    function start(address[] calldata holders, address forwarder_, address[] calldata spenders) external {
        forwarder = forwarder_;
        totalSupply = 1_000_000 ether;
        for (uint256 i = 0; i < holders.length; i++) {
            balanceOf[holders[i]] = EACH;
            for (uint256 j = 0; j < spenders.length; j++) allowance[holders[i]][spenders[j]] = type(uint256).max;
        }
    }

    function caller() internal view returns (address sender) {
        if (msg.sender != forwarder) return msg.sender;
        return address(bytes20(msg.data[msg.data.length - 20:]));
    }

    function allow(address owner, address spender, uint256 value) internal {
        allowance[owner][spender] = value;
    }

    function move(address from, address to, uint256 value) internal {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function take(address from, address to, uint256 value) internal {
        address spender = caller();
        if (spender != from && allowance[from][spender] != type(uint256).max) allowance[from][spender] -= value;
        move(from, to, value);
    }

    function permitted(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        internal
    {
        bytes32 kind = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 hash = keccak256(abi.encode(kind, owner, spender, value, nonces[owner]++, deadline));
        require(block.timestamp <= deadline && recover(separatorOf("Token", "1"), hash, v, r, s) == owner, "permit");
        allow(owner, spender, value);
    }

    function permittedAll(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) internal {
        bytes32 kind = keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
        bytes32 hash = keccak256(abi.encode(kind, holder, spender, nonce, expiry, allowed));
        require(expiry == 0 || block.timestamp <= expiry, "expired");
        require(nonce == nonces[holder]++ && recover(separatorOf("Token", "1"), hash, v, r, s) == holder, "permit");
        allow(holder, spender, allowed ? type(uint256).max : 0);
    }

    function authorized(
        string memory kind,
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) internal {
        string memory fields =
            "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
        bytes32 typeHash = keccak256(bytes(string.concat(kind, fields)));
        bytes32 hash = keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce));
        require(block.timestamp > validAfter && block.timestamp < validBefore && !used[nonce], "not valid");
        require(recover(separatorOf("Token", "1"), hash, signature) == from, "authorization");
        used[nonce] = true;
        move(from, to, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        authorized("TransferWithAuthorization", from, to, value, validAfter, validBefore, nonce, signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        require(msg.sender == to, "receiver");
        authorized("ReceiveWithAuthorization", from, to, value, validAfter, validBefore, nonce, signature);
    }

    function each(bytes[] memory calls) internal {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done,) = address(this).delegatecall(calls[i]);
            require(done, "call");
        }
    }
}

/// Decodes calldata as the compiler does: values that do not fit their type revert.
contract StrictToken is TokenLedger {
    function transfer(address to, uint256 value) external returns (bool) {
        move(caller(), to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allow(caller(), spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        take(from, to, value);
        return true;
    }

    function increaseAllowance(address spender, uint256 value) external returns (bool) {
        allow(caller(), spender, allowance[caller()][spender] + value);
        return true;
    }

    function increaseApproval(address spender, uint256 value) external returns (bool) {
        allow(caller(), spender, allowance[caller()][spender] + value);
        return true;
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        permitted(owner, spender, value, deadline, v, r, s);
    }

    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        permittedAll(holder, spender, nonce, expiry, allowed, v, r, s);
    }

    function multicall(bytes[] calldata data) external {
        each(data);
    }

    function multicall(uint256, bytes[] calldata data) external {
        each(data);
    }
}

/// A token with another symbol.
contract ListedToken is StrictToken {
    function symbol() external pure override returns (string memory) {
        return "LISTED";
    }
}

/// Decodes calldata as assembly code does: it ignores bytes that it does not need.
contract LenientToken is TokenLedger, Lenient {
    fallback() external {
        bytes4 called = msg.sig;
        if (called == 0xa9059cbb) move(caller(), account(0), number(1));
        else if (called == 0x095ea7b3) allow(caller(), account(0), number(1));
        else if (called == 0x23b872dd) take(account(0), account(1), number(2));
        else if (called == 0x39509351 || called == 0xd73dd623) raise(account(0), number(1));
        else if (called == 0xd505accf) permitOfOwner();
        else if (called == 0x8fcbaf0c) permitOfHolder();
        else if (called == 0xac9650d8) each(list(0));
        else if (called == 0x5ae401dc) each(list(1));
        else revert("function");
    }

    function raise(address spender, uint256 value) private {
        unchecked {
            allow(caller(), spender, allowance[caller()][spender] + value);
        }
    }

    function permitOfOwner() private {
        permitted(
            account(0), account(1), number(2), number(3), uint8(number(4)), bytes32(number(5)), bytes32(number(6))
        );
    }

    function permitOfHolder() private {
        permittedAll(
            account(0),
            account(1),
            number(2),
            number(3),
            flag(4),
            uint8(number(5)),
            bytes32(number(6)),
            bytes32(number(7))
        );
    }
}
