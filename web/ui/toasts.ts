/** What is being said in the corner. Shown by `<Toasts />`, which the app mounts once. */
import { create } from 'zustand'
import type { Tone } from './tone.ts'

/** Lifetimes of the specification, 8. */
const TOAST_MS = 3000
const PAGE_NOTICE_MS = 10_000

export type ToastItem = { id: number; tone: Tone; text: string; lifeMs: number }

type ToastStore = { items: ToastItem[] }

export const useToasts = create<ToastStore>(() => ({ items: [] }))

let nextId = 1
/** More than this at once is noise; the oldest goes. */
const MAX_TOASTS = 4

function showToast(tone: Tone, text: string, lifeMs: number): void {
  const item = { id: nextId++, tone, text, lifeMs }
  // The same sentence again replaces the old one, so that an impatient finger does not build a tower.
  useToasts.setState(({ items }) => ({
    items: [...items.filter(old => old.text !== text), item].slice(-MAX_TOASTS),
  }))
}

export const dismissToast = (id: number): void =>
  useToasts.setState(({ items }) => ({ items: items.filter(item => item.id !== id) }))

/** It worked: 3 s. */
export const toastSuccess = (text: string): void => showToast('green', text, TOAST_MS)

/** It did not work and needs no act; what needs an act is said in place. 3 s. */
export const toastError = (text: string): void => showToast('red', text, TOAST_MS)

/** A notice about the whole page: 10 s. */
export const notifyPage = (tone: Tone, text: string): void => showToast(tone, text, PAGE_NOTICE_MS)
