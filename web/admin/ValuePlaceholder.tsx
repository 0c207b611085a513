import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useDelayedLoading } from '#web/ui/use-delayed-loading.ts'

export function ValuePlaceholder({ width = '60%', height }: { width?: string; height?: string }) {
  return useDelayedLoading(true) ? <Skeleton width={width} height={height} /> : null
}
