/** Where a friend registers: the code is in the form already (specification, 2: `/register?ref=`). */
export const inviteLink = (origin: string, code: string): string =>
  `${origin}/register?ref=${encodeURIComponent(code)}`
