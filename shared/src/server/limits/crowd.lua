-- Payers' parts of a topic. `crowd` is a hash: name of a payer, space, resource -> amount.

-- Amounts that this call refunds, by field of the hash.
local freed = {}

local function each(payers, act)
  for _, payer in ipairs(cjson.decode(payers)) do act(payer) end
end

-- Adds `amount` to each payer's part of the topic.
local function charge(crowd, payers, resource, amount)
  each(payers, function(payer) redis.call('HINCRBY', crowd, payer .. ' ' .. resource, amount) end)
end

-- Subtracts `amount` from each payer's part of the topic, and records it in `freed`.
local function refund(crowd, payers, resource, amount)
  each(payers, function(payer)
    local field = payer .. ' ' .. resource
    if redis.call('HINCRBY', crowd, field, -amount) == 0 then redis.call('HDEL', crowd, field) end
    freed[field] = (freed[field] or 0) + amount
  end)
end

-- Returns the first payer whose part would exceed `most` if `amount` were added, or nil.
local function crowding(crowd, payers, resource, amount, most)
  for _, payer in ipairs(cjson.decode(payers)) do
    if tonumber(redis.call('HGET', crowd, payer .. ' ' .. resource) or 0) + amount > most then return payer end
  end
  return nil
end

-- Returns `freed` as a list of alternating fields and amounts.
local function freedList()
  local list = {}
  for field, amount in pairs(freed) do
    table.insert(list, field)
    table.insert(list, string.format('%.0f', amount))
  end
  return list
end
