// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// The parts of ENS that a lookup uses: ENSIP-1, ENSIP-3, ENSIP-9, ENSIP-10 and ERC-3668.
contract Registry {
    mapping(bytes32 => address) public resolver;

    function setResolver(bytes32 node, address target) external {
        resolver[node] = target;
    }
}

/// A resolver with its own records.
contract Resolver {
    mapping(bytes32 => address) private addresses;
    mapping(bytes32 => string) public name;
    mapping(bytes32 => mapping(uint256 => bytes)) private coins;

    function addr(bytes32 node) external view returns (address) {
        return addresses[node];
    }

    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory) {
        return coins[node][coinType];
    }

    function setAddr(bytes32 node, address target) external {
        addresses[node] = target;
        coins[node][60] = abi.encodePacked(target);
    }

    function setCoin(bytes32 node, uint256 coinType, bytes calldata target) external {
        coins[node][coinType] = target;
    }

    function setName(bytes32 node, string calldata text) external {
        name[node] = text;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0xf1cb7e06;
    }
}

/// A resolver of all names below its own. Each name has the address with which its hash ends.
contract Wildcard {
    function resolve(bytes calldata name, bytes calldata data) external pure returns (bytes memory) {
        require(bytes4(data) == 0x3b3b57de, "only addr");
        return abi.encode(address(uint160(uint256(keccak256(name)))));
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }
}

/// A resolver that refers to gateways, and checks that a gateway's response belongs to the question.
contract Offchain {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string[] private urls;
    address private sender;
    uint256 private rounds;

    function set(string[] calldata gateways, address claimed, uint256 times) external {
        delete urls;
        for (uint256 i = 0; i < gateways.length; i++) urls.push(gateways[i]);
        sender = claimed;
        rounds = times;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        ask(abi.encode(name, data), 1);
    }

    function answered(bytes calldata response, bytes calldata extra) external view returns (bytes memory) {
        (bytes memory question, uint256 round) = abi.decode(extra, (bytes, uint256));
        (address target, bytes32 proof) = abi.decode(response, (address, bytes32));
        require(proof == keccak256(abi.encode(target, question)), "wrong proof");
        if (round < rounds) ask(question, round + 1);
        return abi.encode(target);
    }

    function ask(bytes memory question, uint256 round) private view {
        address claimed = sender == address(0) ? address(this) : sender;
        revert OffchainLookup(claimed, urls, question, this.answered.selector, abi.encode(question, round));
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }
}
