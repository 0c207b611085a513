/** Long bodies, sent by a process that may stand still meanwhile. */
const MOST_TRIES = 5

/**
 * The answer to `send`. The server refuses a body that pauses for 15 s. This also happens when a process stood still, and then it is
 * sent again, five times at most.
 */
export async function sendWhole<Answer extends { body: { code?: string | undefined } }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    if (answer.body.code !== 'body_incomplete' || tries === MOST_TRIES) return answer
  }
}
