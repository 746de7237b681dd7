// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import "./signed.sol";

/// ERC-721 and ERC-1155 items in one ledger, which works because their functions differ in name or arguments.
abstract contract CollectionLedger {
    uint256 private constant EACH = 100;
    string public constant symbol = "ITEM";

    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    /// Gives each holder the item whose id is the holder's address, and a hundred of each of the first four ids.
    function start(address[] calldata holders) external {
        for (uint256 i = 0; i < holders.length; i++) {
            ownerOf[uint160(holders[i])] = holders[i];
            for (uint256 id = 0; id < 4; id++) balanceOf[holders[i]][id] = EACH;
        }
    }

    function operate(address operator, bool approved) internal {
        isApprovedForAll[msg.sender][operator] = approved;
    }

    function allowItem(address to, uint256 id) internal {
        require(ownerOf[id] == msg.sender, "owner");
        getApproved[id] = to;
    }

    function moveItem(address from, address to, uint256 id) internal {
        require(ownerOf[id] == from && (from == msg.sender || isApprovedForAll[from][msg.sender]), "owner");
        ownerOf[id] = to;
    }

    function moveAmount(address from, address to, uint256 id, uint256 value) internal {
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "operator");
        balanceOf[from][id] -= value;
        balanceOf[to][id] += value;
    }

    function each(bytes[] memory calls) internal {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done,) = address(this).delegatecall(calls[i]);
            require(done, "call");
        }
    }
}

contract StrictCollection is CollectionLedger {
    function setApprovalForAll(address operator, bool approved) external {
        operate(operator, approved);
    }

    function approve(address to, uint256 id) external {
        allowItem(to, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        moveItem(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        moveItem(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes calldata) external {
        moveItem(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external {
        moveAmount(from, to, id, value);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata
    ) external {
        require(ids.length == values.length, "lengths");
        for (uint256 i = 0; i < ids.length; i++) moveAmount(from, to, ids[i], values[i]);
    }

    function multicall(bytes[] calldata data) external {
        each(data);
    }

    function multicall(uint256, bytes[] calldata data) external {
        each(data);
    }
}

contract LenientCollection is CollectionLedger, Lenient {
    fallback() external {
        bytes4 called = msg.sig;
        if (called == 0xa22cb465) operate(account(0), flag(1));
        else if (called == 0x095ea7b3) allowItem(account(0), number(1));
        else if (called == 0x23b872dd || called == 0x42842e0e || called == 0xb88d4fde) transferItem();
        else if (called == 0xf242432a) moveAmount(account(0), account(1), number(2), number(3));
        else if (called == 0x2eb2c2d6) transferBatch();
        else if (called == 0xac9650d8) each(list(0));
        else if (called == 0x5ae401dc) each(list(1));
        else revert("function");
    }

    function transferItem() private {
        moveItem(account(0), account(1), number(2));
    }

    function transferBatch() private {
        (uint256 ids, uint256 values) = (4 + size(68), 4 + size(100));
        uint256 length = size(ids);
        require(length < 100, "length");
        for (uint256 i = 1; i <= length; i++)
            moveAmount(account(0), account(1), word(ids + 32 * i), word(values + 32 * i));
    }
}
