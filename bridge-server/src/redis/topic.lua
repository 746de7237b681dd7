-- One topic of the bridge in Redis. All keys of a topic are in one slot, so that each call is atomic. ARGV: the call,
-- the topic, the time in microseconds for which frames are kept, and the call's arguments, which are described before
-- its function. crowd.lua is prepended to this.
--
--   meta      hash    last sequence number, bytes
--   frames    stream  publisher, payers in JSON and text of each frame; the ID starts with its sequence number
--   crowd     hash    messages and bytes that each payer has on the topic
--   totals    hash    frames and bytes of all topics of the shard
--   due       zset    topics of the shard by the sequence number of their oldest frame
--
-- A sequence number is the time of arrival in microseconds on the clock of Redis, or the last sequence number plus 1 if
-- the clock has not advanced.

local meta, frames, crowd, totals, due = unpack(KEYS)
local call, topic, lifetime = ARGV[1], ARGV[2], tonumber(ARGV[3])

-- Maximum number of expired frames that one call removes.
local SOME = 100
-- Number of frames that one read of the stream returns.
local FEW = 10
-- Milliseconds for which an empty topic's last sequence number is kept. After that, numbers keep increasing only if the
-- clock was not set back.
local REMEMBER = 60 * 1000

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local expired = 0

local function digits(number) return string.format('%.0f', number) end
local function seqOf(entry) return tonumber(string.match(entry[1], '^%d+')) end
local function publisherOf(entry) return entry[2][2] end
local function payersOf(entry) return entry[2][4] end
local function textOf(entry) return entry[2][6] end

local function count(sign, bytes)
  redis.call('HINCRBY', totals, 'frames', sign)
  redis.call('HINCRBY', totals, 'bytes', sign * bytes)
  redis.call('HINCRBY', meta, 'bytes', sign * bytes)
end

local function entriesAfter(seq, most)
  return redis.call('XRANGE', frames, digits(seq + 1), '+', 'COUNT', most)
end

-- Updates the topic's entry in `due` with its oldest frame. Removes an empty topic's keys; `meta` expires a little
-- later.
local function finish()
  local oldest = entriesAfter(0, 1)[1]
  if oldest then
    redis.call('ZADD', due, digits(seqOf(oldest)), topic)
    return
  end
  redis.call('DEL', frames, crowd)
  redis.call('ZREM', due, topic)
  redis.call('PEXPIRE', meta, REMEMBER)
end

-- Removes frames. `entries` is a reply of XRANGE.
local function drop(entries)
  if #entries == 0 then return end
  local first = tonumber(redis.call('ZSCORE', due, topic))
  local isOldest = false
  for _, entry in ipairs(entries) do
    redis.call('XDEL', frames, entry[1])
    count(-1, #textOf(entry))
    refund(crowd, payersOf(entry), 'messages', 1)
    refund(crowd, payersOf(entry), 'bytes', #textOf(entry))
    isOldest = isOldest or seqOf(entry) == first
  end
  if isOldest then finish() end
end

local function purge()
  local old = redis.call('XRANGE', frames, '-', digits(now - lifetime), 'COUNT', SOME)
  drop(old)
  expired = #old
end

local function answer(...)
  local sums = redis.call('HMGET', totals, 'frames', 'bytes')
  local oldest = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')[2]
  return { { redis.call('ZCARD', due), sums[1] or 0, sums[2] or 0, oldest or 0 }, expired, freedList(), ... }
end

local calls = {}

-- topicFrames, topicBytes, storeFrames, storeBytes, maximum frames and maximum bytes of one payer on the topic; the
-- same six for a topic that has subscribers; channel, payers, then publisher and text of each frame. storeFrames and
-- storeBytes are what the limits leave for this shard. Returns the number of accepted frames, and the limit that
-- refused the next frame.
function calls.append()
  local names = { 'topicFrames', 'topicBytes', 'storeFrames', 'storeBytes' }
  local channel, payers = ARGV[16], ARGV[17]
  purge()
  local sums = redis.call('HMGET', totals, 'frames', 'bytes')
  local known = redis.call('HMGET', meta, 'seq', 'bytes')
  local held = { redis.call('XLEN', frames), tonumber(known[2] or 0), tonumber(sums[1] or 0), tonumber(sums[2] or 0) }
  local last = tonumber(known[1] or 0)

  -- Returns a limit without room for a frame of that size. The limits start at index `first` of ARGV.
  local function exceeded(size, first)
    for index, name in ipairs(names) do
      local more = index % 2 == 1 and 1 or size
      if held[index] + more > tonumber(ARGV[first + index - 1]) then return name end
    end
    local part = { tonumber(ARGV[first + 4]), tonumber(ARGV[first + 5]) }
    if held[1] + 1 > part[1] and crowding(crowd, payers, 'messages', 1, part[1]) then return 'topicFrames' end
    if held[2] + size > part[2] and crowding(crowd, payers, 'bytes', size, part[2]) then return 'topicBytes' end
  end

  local accepted, refused = 0, ''
  for at = 18, #ARGV, 2 do
    local publisher, text = ARGV[at], ARGV[at + 1]
    local size = #text
    local limit = exceeded(size, 4)
    if limit and exceeded(size, 10) then
      refused = limit
      break
    end
    local seq = digits(math.max(last + 1, now))
    redis.call('XADD', frames, seq .. '-0', 'publisher', publisher, 'payers', payers, 'text', text)
    local listeners = redis.call('SPUBLISH', channel, seq .. ' ' .. digits(last) .. ' ' .. publisher .. '\n' .. text)
    if limit and listeners == 0 then
      redis.call('XDEL', frames, seq .. '-0')
      if redis.call('XLEN', frames) == 0 then redis.call('DEL', frames) end
      refused = limit
      break
    end
    redis.call('ZADD', due, 'NX', seq, topic)
    count(1, size)
    charge(crowd, payers, 'messages', 1)
    charge(crowd, payers, 'bytes', size)
    for index = 1, 4 do held[index] = held[index] + (index % 2 == 1 and 1 or size) end
    last = tonumber(seq)
    accepted = accepted + 1
  end
  if accepted > 0 then
    redis.call('HSET', meta, 'seq', digits(last))
    redis.call('PERSIST', meta)
  end
  return answer(accepted, refused)
end

-- after, bytes. Returns a list that repeats sequence number, publisher and text for each frame, the topic's last
-- sequence number, and 1 if there are no more frames, else 0.
function calls.read()
  local after, bytes = math.max(tonumber(ARGV[4]), now - lifetime), tonumber(ARGV[5])
  local found, isLast = {}, 0
  while bytes > 0 and isLast == 0 do
    local page = entriesAfter(after, FEW)
    for _, entry in ipairs(page) do
      after = seqOf(entry)
      bytes = bytes - #textOf(entry)
      table.insert(found, digits(after))
      table.insert(found, publisherOf(entry))
      table.insert(found, textOf(entry))
    end
    if #page < FEW then isLast = 1 end
  end
  return answer(found, redis.call('HGET', meta, 'seq') or 0, isLast)
end

-- sequence numbers of confirmed frames
function calls.remove()
  for at = 4, #ARGV do drop(redis.call('XRANGE', frames, ARGV[at], ARGV[at])) end
  return answer()
end

-- Returns the text of the frame with that number, or nil.
local function textAt(seq)
  local entry = redis.call('XRANGE', frames, digits(seq), digits(seq))[1]
  return entry and textOf(entry)
end

-- Inserts entries between the stream's entries, by writing the stream again. A stream accepts new entries only at its
-- end.
local function insert(entries)
  for _, entry in ipairs(redis.call('XRANGE', frames, '-', '+')) do table.insert(entries, entry) end
  table.sort(entries, function(a, b) return seqOf(a) < seqOf(b) end)
  redis.call('DEL', frames)
  for _, entry in ipairs(entries) do redis.call('XADD', frames, entry[1], unpack(entry[2])) end
end

-- last sequence number of the previous page, then sequence number and text of each frame, in order. Adds the frames
-- that are missing. If a frame's number is in use, it gets the next free number. Returns the last number.
function calls.restore()
  local last = tonumber(redis.call('HGET', meta, 'seq') or 0)
  local after, earlier = tonumber(ARGV[4]), {}
  for at = 5, #ARGV, 2 do
    local seq, text = math.max(tonumber(ARGV[at]), after + 1), ARGV[at + 1]
    local found = textAt(seq)
    while found and found ~= text do
      seq = seq + 1
      found = textAt(seq)
    end
    after = seq
    if not found then
      local entry = { digits(seq) .. '-0', { 'publisher', '', 'payers', '[]', 'text', text } }
      if seq > last then redis.call('XADD', frames, entry[1], unpack(entry[2])) else table.insert(earlier, entry) end
      last = math.max(last, seq)
      count(1, #text)
    end
  end
  if #earlier > 0 then insert(earlier) end
  redis.call('HSET', meta, 'seq', digits(last))
  redis.call('PERSIST', meta)
  finish()
  return answer(digits(after))
end

-- Removes expired frames.
function calls.sweep()
  purge()
  return answer()
end

return calls[call]()
