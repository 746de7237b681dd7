// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// EIP-712 signatures, as checked by the contracts in this folder.
abstract contract Signed {
    bytes32 private constant DOMAIN = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );

    function recover(bytes32 separator, bytes32 structHash, bytes memory signature) internal pure returns (address) {
        require(signature.length == 65, "signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return recover(separator, structHash, v, r, s);
    }

    function recover(bytes32 separator, bytes32 structHash, uint8 v, bytes32 r, bytes32 s)
        internal
        pure
        returns (address signer)
    {
        signer = ecrecover(keccak256(abi.encodePacked(hex"1901", separator, structHash)), v, r, s);
        require(signer != address(0), "signature");
    }

    function separatorOf(string memory name, string memory version) internal view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }
}

/// Reads words of the calldata as hand-written decoders do: without bounds, and with wider words truncated.
abstract contract Lenient {
    function word(uint256 at) internal pure returns (uint256 value) {
        assembly {
            value := calldataload(at)
        }
    }

    function number(uint256 index) internal pure returns (uint256) {
        return word(4 + 32 * index);
    }

    function account(uint256 index) internal pure returns (address) {
        return address(uint160(number(index)));
    }

    function flag(uint256 index) internal pure returns (bool) {
        return number(index) != 0;
    }

    /// Reads an offset or a length from the last four bytes of a word, and ignores the other bytes.
    function size(uint256 at) internal pure returns (uint256) {
        return uint32(word(at));
    }

    /// Reads bytes at an offset of the calldata, after their length. Bytes beyond the calldata are zeros.
    function bytesAt(uint256 at) internal pure returns (bytes memory content) {
        uint256 length = size(at);
        require(length < 100_000, "length");
        content = new bytes(length);
        assembly {
            calldatacopy(add(content, 32), add(at, 32), length)
        }
    }

    /// Reads a list of bytes whose offset is in this word. Offsets are not checked.
    function list(uint256 index) internal pure returns (bytes[] memory items) {
        uint256 start = 4 + size(4 + 32 * index);
        uint256 length = size(start);
        require(length < 100, "length");
        items = new bytes[](length);
        for (uint256 i = 0; i < length; i++) items[i] = bytesAt(start + 32 + size(start + 32 + 32 * i));
    }
}
