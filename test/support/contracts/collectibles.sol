// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// ERC-721 items that anyone can mint, without approvals.
contract Cats {
    string public constant name = "Harbor Cats";
    string public constant symbol = "CATS";

    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => string) public tokenURI;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function mint(address to, uint256 id, string calldata uri) external {
        tokenURI[id] = uri;
        move(address(0), to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        require(msg.sender == from && ownerOf[id] == from, "owner");
        balanceOf[from]--;
        move(from, to, id);
    }

    function move(address from, address to, uint256 id) private {
        ownerOf[id] = to;
        balanceOf[to]++;
        emit Transfer(from, to, id);
    }
}

/// ERC-1155 items that anyone can mint, without approvals.
contract Gear {
    string public constant name = "Expedition gear";

    mapping(address => mapping(uint256 => uint256)) public balanceOf;
    string private shared;

    event TransferSingle(
        address indexed operator,
        address indexed from,
        address indexed to,
        uint256 id,
        uint256 value
    );

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function uri(uint256) external view returns (string memory) {
        return shared;
    }

    function mint(address to, uint256 id, uint256 value, string calldata newUri) external {
        shared = newUri;
        balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external {
        require(msg.sender == from, "owner");
        balanceOf[from][id] -= value;
        balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
    }
}
