// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// An ERC-20 that anybody can mint.
contract Coin {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant symbol = "COIN";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Logs a transfer that moves nothing, as address poisoning does.
    function pretend(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }
}

/// A token whose balances cost all gas that a call gives it.
contract Hog {
    function balanceOf(address) external pure returns (uint256) {
        while (true) {}
        return 0;
    }
}

/// A token whose balances cannot be read.
contract Broken {
    function balanceOf(address) external pure returns (uint256) {
        revert("broken");
    }
}

/// A token that returns 2 MB of data for every call.
contract Bomb {
    fallback() external {
        assembly {
            return(0, 2000000)
        }
    }
}
