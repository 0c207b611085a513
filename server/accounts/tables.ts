import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface Tables {
    app_user: {
      id: GeneratedColumn<number>
      name: string
      email: string
      email_key: string
      password_hash: string
      role: GeneratedColumn<'user' | 'friend' | 'admin'>
      activation: GeneratedColumn<'allow' | 'block'>
      referral_code: string
      referred_by: number | null
      avatar: string | null
      created_at: DefaultTimestamp
      deleted_at: NullableTimestamp
    }
    login_session: {
      id: GeneratedColumn<number>
      user_id: number
      token_hash: Buffer
      download_hash: Buffer
      kind: GeneratedColumn<'normal' | 'impersonation'>
      impersonator_id: number | null
      parent_session_id: number | null
      user_agent: string | null
      created_at: DefaultTimestamp
      last_seen_at: DefaultTimestamp
      expires_at: RequiredTimestamp
    }
    known_network: {
      user_id: number
      network_hash: Buffer
      last_used_at: DefaultTimestamp
    }
    password_reset: {
      token_hash: Buffer
      user_id: number
      created_at: DefaultTimestamp
      expires_at: RequiredTimestamp
      used_at: NullableTimestamp
    }
    audit_entry: {
      id: GeneratedColumn<number>
      created_at: DefaultTimestamp
      actor_id: number | null
      subject_id: number | null
      action: string
      detail: JsonColumn<Record<string, unknown>>
    }
  }
}
