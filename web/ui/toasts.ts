/** Short messages in a corner, shown by `<Toasts />`, which the app mounts once. */
import { create } from 'zustand'
import type { Tone } from './tone.ts'

const TOAST_MS = 3000
const PAGE_NOTICE_MS = 10_000

export type ToastItem = { id: number; tone: Tone; text: string; lifeMs: number }

type ToastStore = { items: ToastItem[] }

export const useToasts = create<ToastStore>(() => ({ items: [] }))

let nextId = 1
/** Beyond this, the oldest is removed. */
const MAX_TOASTS = 4

function showToast(tone: Tone, text: string, lifeMs: number): void {
  const item = { id: nextId++, tone, text, lifeMs }
  // The same text replaces the old toast, so that repeated clicks do not stack up.
  useToasts.setState(({ items }) => ({
    items: [...items.filter(old => old.text !== text), item].slice(-MAX_TOASTS),
  }))
}

export const dismissToast = (id: number): void =>
  useToasts.setState(({ items }) => ({ items: items.filter(item => item.id !== id) }))

/** For a dialog that opens: what was done before it does not belong to it. Errors stay. */
export const dismissSuccessToasts = (): void =>
  useToasts.setState(({ items }) => ({ items: items.filter(({ tone }) => tone !== 'green') }))

/** 3 s. */
export const toastSuccess = (text: string): void => showToast('green', text, TOAST_MS)

/** For a failure that needs no action; show any other one in place. 3 s. */
export const toastError = (text: string): void => showToast('red', text, TOAST_MS)

/** For a message that takes time to read, or that no action of the user caused. 10 s. */
export const notifyPage = (tone: Tone, text: string): void => showToast(tone, text, PAGE_NOTICE_MS)
