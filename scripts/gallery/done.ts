/** The body of an answer. Throws the server's message when it refuses. */
export async function done<Body>(
  answer: Promise<{ status: number; body: Body & { message?: unknown } }>,
  what: string,
): Promise<Body> {
  const { status, body } = await answer
  if (status >= 300)
    throw new Error(`The ${what} could not be made: ${status} ${String(body.message)}`)
  return body
}
