/** The frame that answers `true`: it tells a publisher that its message is safe, and the relay that a push has come. */

export const BEFORE_ID = Buffer.from('{"id":')
export const AFTER_ID = Buffer.from(',"jsonrpc":"2.0","result":true}')

/** Bytes of the answer to a call whose id was written in so many. */
export const answerBytes = (idLength: number): number => BEFORE_ID.length + idLength + AFTER_ID.length

/**
 * Writes the answers, `id` as the call has it: ASCII, of at most `longest` bytes. All are written into the same room: one
 * is good until the next.
 */
export const createAnswerWriter = (longest: number) => {
  const room = Buffer.alloc(answerBytes(longest))
  room.set(BEFORE_ID)
  let frame = room

  return (id: string): Buffer => {
    const idAt = BEFORE_ID.length
    for (let at = 0; at < id.length; at++) room[idAt + at] = id.charCodeAt(at)
    room.set(AFTER_ID, idAt + id.length)
    const length = answerBytes(id.length)
    // Most are as long as the last.
    if (frame.length !== length) frame = room.subarray(0, length)
    return frame
  }
}
