-- One topic of the mailbox in Redis. All keys of a topic are in one slot, so that each call is atomic. ARGV: the call,
-- the topic, Unix time in ms, and the call's arguments, which are described before its function. crowd.lua is prepended
-- to this.
--
--   meta      hash   last sequence number, bytes, messages and subscriptions
--   messages  hash   sequence number -> publisher, times, tag, size, digest, attestation and text, in lines
--   states    hash   sequence number -> open flag, how many clients with and without a key it waits for, publisher;
--                    payers in JSON
--   expiries  zset   sequence numbers by the time at which they expire
--   repeats   hash   digest of publisher and text -> sequence number
--   clients   zset   recipients by the time at which they are unsubscribed if inactive
--   unused    hash   recipients that have never had a message -> time of their last activity
--   inbox     zset   client, zero byte, sequence number; open messages are listed under the empty client
--   crowd     hash   payer, space, resource -> how many messages, bytes or subscriptions the payer has on the topic
--   payers    hash   client -> payers of its subscription in JSON
--   totals    hash   topics, messages, bytes and subscriptions of all topics of the shard
--   due       zset   topics of the shard by the time of their next expiry

local meta, messages, states, expiries, repeats, clients, unused, inbox, crowd, payersOf, totals, due = unpack(KEYS)
local call, topic, now = ARGV[1], ARGV[2], tonumber(ARGV[3])

-- Stands for the client in an inbox entry of an open message, which the next client that subscribes also gets.
local ANYONE = ''
-- Maximum number of expired messages, and of inactive clients, that one call removes.
local SOME = 100
-- If no server has removed a topic's keys, Redis removes them this many milliseconds after the topic's last expiry.
local SLACK = 24 * 60 * 60 * 1000

local function digits(number) return string.format('%.0f', number) end
local function place(client, seq) return client .. '\0' .. string.format('%017.0f', seq) end
local function isNamed(client) return string.sub(client, 1, 7) ~= 'socket:' end

-- Inactive clients and expired messages that this call has removed.
local gone, expired, expiredBytes = {}, 0, 0

local function count(what, amount)
  redis.call('HINCRBY', totals, what, amount)
  redis.call('HINCRBY', meta, what, amount)
end

local function create()
  if redis.call('EXISTS', meta) == 1 then return end
  redis.call('HSET', meta, 'seq', 0)
  redis.call('HINCRBY', totals, 'topics', 1)
end

local function stateOf(seq)
  local text = redis.call('HGET', states, digits(seq))
  if not text then return nil end
  local open, named, sockets, publisher, payers = string.match(text, '^(%d) (%d+) (%d+) ([^\n]*)\n(.*)$')
  return { open = open == '1', named = tonumber(named), sockets = tonumber(sockets), publisher = publisher, payers = payers }
end

local function setOpen(state, seq, open)
  state.open = open
  if open then redis.call('ZADD', inbox, 0, place(ANYONE, seq)) else redis.call('ZREM', inbox, place(ANYONE, seq)) end
end

local function write(seq, state)
  local counts = (state.open and '1 ' or '0 ') .. digits(state.named) .. ' ' .. digits(state.sockets)
  redis.call('HSET', states, digits(seq), counts .. ' ' .. state.publisher .. '\n' .. state.payers)
end

-- Removes a message. Returns its size in bytes.
local function drop(seq)
  local record = redis.call('HGET', messages, digits(seq))
  if not record then return 0 end
  local size, digest = string.match(record, '^[^\n]*\n%d+\n%d+\n%d+\n(%d+)\n(%x+)\n')
  local state = stateOf(seq)
  if state then
    refund(crowd, state.payers, 'messages', 1)
    refund(crowd, state.payers, 'bytes', tonumber(size))
  end
  redis.call('HDEL', messages, digits(seq))
  redis.call('HDEL', states, digits(seq))
  redis.call('ZREM', expiries, digits(seq))
  redis.call('ZREM', inbox, place(ANYONE, seq))
  if redis.call('HGET', repeats, digest) == digits(seq) then redis.call('HDEL', repeats, digest) end
  count('messages', -1)
  count('bytes', -tonumber(size))
  return tonumber(size)
end

-- Stores the state of a message, or removes the message if it waits for nobody.
local function settle(seq, state)
  if state.named + state.sockets == 0 and not state.open then drop(seq) else write(seq, state) end
end

local function waitingFor(client, after, most)
  local found = redis.call('ZRANGEBYLEX', inbox, '(' .. place(client, after), '(' .. client .. '\1', 'LIMIT', 0, most)
  for index, member in ipairs(found) do found[index] = tonumber(string.sub(member, #client + 2)) end
  return found
end

-- Removes a message from a client's inbox. Returns its state, or nil if it was not there.
local function release(client, seq)
  if redis.call('ZREM', inbox, place(client, seq)) == 0 then return nil end
  local state = stateOf(seq)
  if not state then return nil end
  if isNamed(client) then state.named = state.named - 1 else state.sockets = state.sockets - 1 end
  return state
end

local function leave(client)
  if redis.call('ZREM', clients, client) == 0 then return end
  for _, seq in ipairs(waitingFor(client, 0, -1)) do
    local state = release(client, seq)
    if state then settle(seq, state) end
  end
  redis.call('HDEL', unused, client)
  local payers = redis.call('HGET', payersOf, client)
  redis.call('HDEL', payersOf, client)
  if payers then refund(crowd, payers, 'subscriptions', 1) end
  count('subscriptions', -1)
end

local function expire(seq)
  for _, client in ipairs(redis.call('ZRANGE', clients, 0, -1)) do redis.call('ZREM', inbox, place(client, seq)) end
  expiredBytes = expiredBytes + drop(seq)
  expired = expired + 1
end

local function purge()
  for _, seq in ipairs(redis.call('ZRANGEBYSCORE', expiries, '-inf', now, 'LIMIT', 0, SOME)) do expire(tonumber(seq)) end
  for _, client in ipairs(redis.call('ZRANGEBYSCORE', clients, '-inf', '(' .. now, 'LIMIT', 0, SOME)) do
    leave(client)
    table.insert(gone, client)
  end
end

-- Notes that a client has had its first message on the topic. Its subscription then lasts longer without activity.
local function use(client, subscriptionMs)
  local seenAt = redis.call('HGET', unused, client)
  if not seenAt then return end
  redis.call('HDEL', unused, client)
  redis.call('ZADD', clients, digits(tonumber(seenAt) + subscriptionMs), client)
end

-- Removes the keys of an empty topic. For other topics, sets when they are due, and when Redis may remove their keys.
local function finish()
  local first = redis.call('ZRANGE', expiries, 0, 0, 'WITHSCORES')[2]
  local leaves = redis.call('ZRANGE', clients, 0, 0, 'WITHSCORES')[2]
  if not first and not leaves then
    if redis.call('EXISTS', meta) == 1 then redis.call('HINCRBY', totals, 'topics', -1) end
    redis.call('DEL', meta, messages, states, expiries, repeats, clients, unused, inbox, crowd, payersOf)
    redis.call('ZREM', due, topic)
    return
  end
  redis.call('ZADD', due, digits(math.min(tonumber(first or leaves), tonumber(leaves or first))), topic)
  local last = redis.call('ZRANGE', expiries, -1, -1, 'WITHSCORES')[2]
  local leavesLast = redis.call('ZRANGE', clients, -1, -1, 'WITHSCORES')[2]
  local lifetime = math.max(tonumber(last or leavesLast), tonumber(leavesLast or last)) - now + SLACK
  for _, key in ipairs({ messages, states, expiries, repeats, clients, unused, inbox, crowd, payersOf }) do
    redis.call('PEXPIRE', key, digits(lifetime))
  end
end

local function answer(...)
  local sums = redis.call('HMGET', totals, 'topics', 'messages', 'bytes', 'subscriptions')
  for index = 1, 4 do sums[index] = tonumber(sums[index] or 0) end
  return { sums, gone, { expired, expiredBytes }, freedList(), ... }
end

-- True if a message with that digest is stored. Removes an expired message with that digest.
local function isRepeat(digest)
  local seq = redis.call('HGET', repeats, digest)
  if not seq then return false end
  if tonumber(redis.call('ZSCORE', expiries, seq)) > now then return true end
  expire(tonumber(seq))
  return false
end

local calls = {}

-- publisher, subscriptionMs, topicMessages, topicBytes, roomMessages, roomBytes, channel, origin, payers, maximum
-- messages and maximum bytes of one payer on the topic, then for each message: digest, size, expiresAt, tag,
-- attestation, text. Returns the sequence numbers, 0 for a repeat. Otherwise returns the exceeded limit and, for a
-- payer's part, the payer.
function calls.append()
  local publisher, subscriptionMs = ARGV[4], tonumber(ARGV[5])
  local most = { tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]) }
  local payers, part = ARGV[12], { tonumber(ARGV[13]), tonumber(ARGV[14]) }
  purge()
  local kept, keptBytes = redis.call('HLEN', messages), tonumber(redis.call('HGET', meta, 'bytes') or 0)
  local new, newBytes, known = 0, 0, {}
  for at = 15, #ARGV, 6 do
    local digest, size = ARGV[at], tonumber(ARGV[at + 1])
    if not known[digest] and not isRepeat(digest) then
      new, newBytes = new + 1, newBytes + size
      if kept + new > most[1] then return finish() or answer('topicMessages') end
      if keptBytes + newBytes > most[2] then return finish() or answer('topicBytes') end
      local byCount = kept + new > part[1] and crowding(crowd, payers, 'messages', new, part[1])
      if byCount then return finish() or answer('topicMessagesOfHolder', byCount) end
      local byBytes = keptBytes + newBytes > part[2] and crowding(crowd, payers, 'bytes', newBytes, part[2])
      if byBytes then return finish() or answer('topicBytesOfHolder', byBytes) end
      if new > most[3] then return finish() or answer('storeMessages') end
      if newBytes > most[4] then return finish() or answer('storeBytes') end
    end
    known[digest] = true
  end

  local seqs = {}
  if new > 0 then create() end
  local recipients = redis.call('ZRANGE', clients, 0, -1)
  local last = tonumber(redis.call('HGET', meta, 'seq') or 0)
  for at = 15, #ARGV, 6 do
    local digest, size, expiresAt = ARGV[at], ARGV[at + 1], ARGV[at + 2]
    if redis.call('HSETNX', repeats, digest, '0') == 0 then
      table.insert(seqs, '0')
    else
      -- Above all earlier numbers, even if the topic's keys were lost: a topic never gets 1,000 messages in a
      -- millisecond.
      last = math.max(last + 1, now * 1000)
      local seq = digits(last)
      redis.call('HSET', repeats, digest, seq)
      local lines = { publisher, ARGV[3], expiresAt, ARGV[at + 3], size, digest, ARGV[at + 4], ARGV[at + 5] }
      redis.call('HSET', messages, seq, table.concat(lines, '\n'))
      redis.call('ZADD', expiries, expiresAt, seq)
      local state = { named = 0, sockets = 0, publisher = publisher, payers = payers }
      for _, client in ipairs(recipients) do
        if client ~= publisher then
          if isNamed(client) then state.named = state.named + 1 else state.sockets = state.sockets + 1 end
          redis.call('ZADD', inbox, 0, place(client, last))
          use(client, subscriptionMs)
        end
      end
      setOpen(state, last, state.named == 0 or state.sockets > 0)
      write(last, state)
      count('messages', 1)
      count('bytes', tonumber(size))
      charge(crowd, payers, 'messages', 1)
      charge(crowd, payers, 'bytes', tonumber(size))
      table.insert(seqs, seq)
    end
  end
  if new > 0 then
    redis.call('HSET', meta, 'seq', digits(last))
    redis.call('SPUBLISH', ARGV[10], ARGV[11])
  end
  finish()
  return answer('ok', seqs)
end

-- client, subscriptionMs, unusedMs, topicClients, room, payers, maximum clients of one payer on the topic. Returns the
-- last sequence number. Otherwise returns the exceeded limit and, for a payer's part, the payer.
function calls.subscribe()
  local client, subscriptionMs, unusedMs = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
  purge()
  local isKnown = redis.call('ZSCORE', clients, client)
  if not isKnown and redis.call('ZCARD', clients) >= tonumber(ARGV[7]) then return finish() or answer('topicClients') end
  local payers, part = ARGV[9], tonumber(ARGV[10])
  if not isKnown and redis.call('ZCARD', clients) >= part then
    local crowded = crowding(crowd, payers, 'subscriptions', 1, part)
    if crowded then return finish() or answer('topicClientsOfHolder', crowded) end
  end
  if not isKnown and tonumber(ARGV[8]) < 1 then return finish() or answer('subscriptions') end
  create()
  local since = redis.call('HGET', meta, 'seq')
  local before = redis.call('HGET', payersOf, client)
  if before then refund(crowd, before, 'subscriptions', 1) end
  redis.call('HSET', payersOf, client, payers)
  charge(crowd, payers, 'subscriptions', 1)
  if not isKnown then count('subscriptions', 1) end
  if isNamed(client) and (not isKnown or redis.call('HEXISTS', unused, client) == 1) then
    redis.call('HSET', unused, client, digits(now))
    redis.call('ZADD', clients, digits(now + unusedMs), client)
  else
    redis.call('ZADD', clients, digits(now + subscriptionMs), client)
  end
  for _, seq in ipairs(waitingFor(ANYONE, 0, -1)) do
    local state = stateOf(seq)
    local isTaken = isNamed(client) and state.named > 0
    if state.publisher ~= client and not isTaken and redis.call('ZADD', inbox, 0, place(client, seq)) == 1 then
      use(client, subscriptionMs)
      if isNamed(client) then
        state.named = state.named + 1
        setOpen(state, seq, false)
      else
        state.sockets = state.sockets + 1
      end
      write(seq, state)
    end
  end
  finish()
  return answer('ok', since)
end

-- client
function calls.unsubscribe()
  leave(ARGV[4])
  finish()
  return answer('ok')
end

-- client, then sequence numbers
function calls.acknowledge()
  local client = ARGV[4]
  for at = 5, #ARGV do
    local seq = tonumber(ARGV[at])
    local state = release(client, seq)
    if state then
      -- Later sockets do not get a message that a socket has acknowledged.
      if not isNamed(client) then setOpen(state, seq, false) end
      settle(seq, state)
    end
  end
  finish()
  return answer('ok')
end

-- client, after, limit. Returns sequence numbers and records, alternating.
function calls.read()
  local client, after, limit = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
  local found = {}
  repeat
    local page = waitingFor(client, after, limit)
    for _, seq in ipairs(page) do
      after = seq
      local expiresAt = redis.call('ZSCORE', expiries, digits(seq))
      if expiresAt and tonumber(expiresAt) > now and #found < 2 * limit then
        table.insert(found, digits(seq))
        table.insert(found, redis.call('HGET', messages, digits(seq)))
      end
    end
  until #page < limit or #found == 2 * limit
  return answer('ok', found)
end

function calls.clients()
  return answer('ok', redis.call('ZRANGE', clients, 0, -1))
end

-- sequence numbers of messages to remove, because a later part of their publish was refused
function calls.retract()
  for at = 4, #ARGV do
    local seq = tonumber(ARGV[at])
    for _, client in ipairs(redis.call('ZRANGE', clients, 0, -1)) do redis.call('ZREM', inbox, place(client, seq)) end
    drop(seq)
  end
  finish()
  return answer('ok')
end

-- Removes expired messages and inactive clients. Corrects the totals if Redis has removed keys.
function calls.sweep()
  purge()
  local bytes = tonumber(redis.call('HGET', meta, 'bytes') or 0)
  local held = tonumber(redis.call('HGET', meta, 'messages') or 0)
  local members = tonumber(redis.call('HGET', meta, 'subscriptions') or 0)
  if held > 0 and redis.call('EXISTS', messages) == 0 then
    count('messages', -held)
    count('bytes', -bytes)
  end
  if members > 0 and redis.call('EXISTS', clients) == 0 then count('subscriptions', -members) end
  finish()
  return answer('ok')
end

-- Adds a client. If it is known, its subscription ends at `ends` or at its stored time, whichever is later.
local function enroll(client, ends, unusedSince, payers)
  local isKnown = redis.call('ZSCORE', clients, client)
  redis.call('ZADD', clients, 'GT', ends, client)
  if unusedSince == '' then redis.call('HDEL', unused, client) end
  if isKnown then return end
  if unusedSince ~= '' then redis.call('HSET', unused, client, unusedSince) end
  redis.call('HSET', payersOf, client, payers)
  charge(crowd, payers, 'subscriptions', 1)
  count('subscriptions', 1)
end

-- last sequence number of the previous page, number of clients, then for each client: its name, the time at which it is
-- unsubscribed, time of its last activity if it has never had a message, payers. Then for each message: sequence
-- number, publisher, publishedAt, expiresAt, tag, size, digest, attestation, text, open flag, payers, number of clients
-- it waits for, these clients. Adds the messages and clients that are missing. If a message's number is in use, it gets
-- the next free number. Returns the last number.
function calls.restore()
  local last, members = tonumber(ARGV[4]), tonumber(ARGV[5])
  create()
  local at = 6
  for _ = 1, members do
    enroll(ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
    at = at + 4
  end
  while at <= #ARGV do
    local seq, publisher, publishedAt, expiresAt, tag, size, digest, attestation, text, open, payers =
      unpack(ARGV, at, at + 10)
    local isKnown = isRepeat(digest)
    seq = isKnown and tonumber(redis.call('HGET', repeats, digest)) or math.max(tonumber(seq), last + 1)
    while not isKnown and redis.call('HEXISTS', messages, digits(seq)) == 1 do seq = seq + 1 end
    last = math.max(last, seq)
    local state = isKnown and stateOf(seq) or { open = false, named = 0, sockets = 0, publisher = publisher, payers = payers }
    if not isKnown then
      local lines = { publisher, publishedAt, expiresAt, tag, size, digest, attestation, text }
      redis.call('HSET', messages, digits(seq), table.concat(lines, '\n'))
      redis.call('HSET', repeats, digest, digits(seq))
      redis.call('ZADD', expiries, expiresAt, digits(seq))
      count('messages', 1)
      count('bytes', tonumber(size))
      charge(crowd, payers, 'messages', 1)
      charge(crowd, payers, 'bytes', tonumber(size))
      setOpen(state, seq, open == '1')
    end
    local waiting = tonumber(ARGV[at + 11])
    for index = at + 12, at + 11 + waiting do
      if redis.call('ZADD', inbox, 0, place(ARGV[index], seq)) == 1 then state.named = state.named + 1 end
    end
    write(seq, state)
    at = at + 12 + waiting
  end
  redis.call('HSET', meta, 'seq', digits(math.max(last, tonumber(redis.call('HGET', meta, 'seq')))))
  finish()
  return answer('ok', digits(last))
end

-- Returns the clients and the time at which each is unsubscribed, the clients that have never had a message and the
-- time of their last activity, the sequence numbers and states, and the inbox.
function calls.contents()
  return answer('ok', {
    redis.call('ZRANGE', clients, 0, -1, 'WITHSCORES'),
    redis.call('HGETALL', unused),
    redis.call('HGETALL', states),
    redis.call('ZRANGE', inbox, 0, -1),
  })
end

-- Returns what each payer has of the topic.
function calls.crowd()
  return answer('ok', redis.call('HGETALL', crowd))
end

-- sequence numbers. Returns each number and its record, alternating.
function calls.records()
  local found = {}
  for at = 4, #ARGV do
    local record = redis.call('HGET', messages, ARGV[at])
    if record then
      table.insert(found, ARGV[at])
      table.insert(found, record)
    end
  end
  return answer('ok', found)
end

return calls[call]()
