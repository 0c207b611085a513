import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useDelayedLoading } from '#web/ui/use-delayed-loading.ts'

/** Stands for a value that is coming; nothing while it may still come at once. */
export function ValuePlaceholder({ width = '60%', height }: { width?: string; height?: string }) {
  return useDelayedLoading(true) ? <Skeleton width={width} height={height} /> : null
}
