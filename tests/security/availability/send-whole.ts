/** Long bodies, sent by a process that may stand still meanwhile. */
const MOST_TRIES = 5

/**
 * The answer to what `send` sends. Who sends nothing for 15 s is cut off, and so is a sender who stood still, or whose server did:
 * such a sender tries again.
 */
export async function sendWhole<Answer extends { body: { code?: string | undefined } }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    if (answer.body.code !== 'body_incomplete' || tries === MOST_TRIES) return answer
  }
}
