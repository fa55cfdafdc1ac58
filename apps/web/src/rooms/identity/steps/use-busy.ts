import { useEffect } from 'react'

/** Reports while a step is being sent, and its end, also when another step replaces it. */
export function useBusy(isBusy: boolean, report: ((isBusy: boolean) => void) | undefined): void {
  useEffect(() => {
    if (!isBusy) return
    report?.(true)
    return () => report?.(false)
  }, [isBusy, report])
}
