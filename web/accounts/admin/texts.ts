/** What is said where a user is picked. */
export const texts = {
  failed: 'Failed to load users',
  all: 'All users',
  hint: 'Name or e-mail',
  unnamed: (id: string) => `User ${id}`,
  person: (name: string, email: string) => `${name} · ${email}`,
}
