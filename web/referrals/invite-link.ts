/** The registration page with the code filled in. */
export const inviteLink = (origin: string, code: string): string =>
  `${origin}/register?ref=${encodeURIComponent(code)}`
