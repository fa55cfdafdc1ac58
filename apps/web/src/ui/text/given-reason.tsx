import { Name } from './name.tsx'

/** Placeholder that the API returns for text withheld from the user's role. */
const WITHHELD = '•••'

/** Reason of a change. If it is withheld, text says so, because a screen reader would read out three dots. */
export function GivenReason({ of, isQuoted = false }: { of: string; isQuoted?: boolean }) {
  if (of === WITHHELD) return <i>Your role cannot see the reason.</i>
  if (!isQuoted) return <Name of={of} />
  return (
    <>
      “<Name of={of} />”
    </>
  )
}
