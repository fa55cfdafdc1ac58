import { useEffect } from 'react'

/** Reports that a step is sent, and when it no longer is, also when the step is replaced by the next. */
export function useBusy(isBusy: boolean, report: ((isBusy: boolean) => void) | undefined): void {
  useEffect(() => {
    if (!isBusy) return
    report?.(true)
    return () => report?.(false)
  }, [isBusy, report])
}
