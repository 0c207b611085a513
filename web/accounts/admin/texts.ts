export const texts = {
  failed: 'Failed to load users',
  all: 'All users',
  hint: 'Name or email',
  unnamed: (id: string) => `User ${id}`,
  person: (name: string, email: string) => `${name} · ${email}`,
}
