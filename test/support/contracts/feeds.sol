// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A price feed whose answer anybody can set. https://docs.chain.link/data-feeds/api-reference
contract Aggregator {
    int256 public answer;
    uint256 public updatedAt;

    function set(int256 to, uint256 time) external {
        answer = to;
        updatedAt = time;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, updatedAt, updatedAt, 1);
    }
}

/// A price feed without a round, as aggregators answer before their first one.
contract NoRound {
    function latestRoundData() external pure returns (uint80, int256, uint256, uint256, uint80) {
        revert("No data present");
    }
}
