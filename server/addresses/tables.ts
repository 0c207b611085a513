import type { DefaultTimestamp, GeneratedColumn } from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    saved_address: {
      id: GeneratedColumn<number>
      user_id: number
      address_id: string
      name: string
      company: string
      phone: string
      street: string
      street2: string
      city: string
      state: string
      zip: string
      country: GeneratedColumn<string>
      is_default: GeneratedColumn<boolean>
      created_at: DefaultTimestamp
    }
  }
}
