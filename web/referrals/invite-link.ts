/** The registration page with the code filled in. */
export const inviteLink = (origin: string, code: string): string =>
  `${origin}/register?ref=${encodeURIComponent(code)}`

/** A mail with the link on a line of its own, for the user's mail program. */
export const inviteMail = (subject: string, text: string, link: string): string =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${text}\r\n\r\n${link}\r\n`)}`
