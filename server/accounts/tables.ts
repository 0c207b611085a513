import type { Scope } from '#contract/keys.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
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
      email_verified_at: NullableTimestamp
      invited_at: NullableTimestamp
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
      proven_at: DefaultTimestamp
    }
    api_key: {
      id: GeneratedColumn<number>
      user_id: number
      key_hash: Buffer
      name: string
      last4: string
      scopes: Scope[]
      daily_limit_cents: number | null
      created_by: number
      created_at: DefaultTimestamp
      expires_at: NullableTimestamp
      last_used_at: NullableTimestamp
      first_id: number | null
      replaced_by: GeneratedColumn<number | null>
      revoked_at: NullableTimestamp
    }
    api_key_spending: { first_id: number; day: string; cents: number }
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
    email_change: {
      id: GeneratedColumn<number>
      user_id: number
      old_email: string | null
      old_email_key: string | null
      new_email: string
      state: GeneratedColumn<'open' | 'done' | 'canceled' | 'undone'>
      session_id: number
      created_at: DefaultTimestamp
      done_at: NullableTimestamp
    }
    email_link: {
      token_hash: Buffer
      user_id: number
      purpose: 'verify' | 'change' | 'undo'
      change_id: number | null
      email_key: string
      created_at: DefaultTimestamp
      expires_at: RequiredTimestamp
      used_at: NullableTimestamp
    }
    second_factor: {
      id: GeneratedColumn<number>
      user_id: number
      kind: 'totp' | 'passkey'
      name: string
      sealed_secret: Buffer | null
      last_step: number | null
      credential_id: Buffer | null
      public_key: Buffer | null
      counter: number | null
      transports: string[] | null
      host: string | null
      backed_up: GeneratedColumn<boolean>
      created_at: DefaultTimestamp
      last_used_at: NullableTimestamp
    }
    recovery_code: {
      code_hash: Buffer
      user_id: number
      created_at: DefaultTimestamp
    }
    login_challenge: {
      hash: Buffer
      user_id: number
      kind: 'login' | 'proof' | 'totp' | 'passkey' | 'passkey-login'
      password_mark: Buffer | null
      sealed_secret: Buffer | null
      created_at: DefaultTimestamp
      expires_at: RequiredTimestamp
    }
    balance_adjustment_request: {
      id: GeneratedColumn<number>
      user_id: number
      difference: number
      reason: string
      state: GeneratedColumn<'open' | 'confirmed' | 'declined' | 'replaced'>
      asked_by: number
      asked_at: DefaultTimestamp
      decided_by: number | null
      decided_at: NullableTimestamp
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
