import type { AuditEvent } from '@prospect/api-client'
import { Name } from '../../ui/text/name.tsx'
import { useSubjectLabel } from './use-subject-label.ts'

/** Subject of an event; people are shown by name. */
export function Subject({ of: { subject } }: { of: AuditEvent }) {
  const labelOf = useSubjectLabel()
  return (
    <>
      {labelOf(subject.type)}
      {subject.name !== null && (
        <>
          {' · '}
          <Name of={subject.name} />
        </>
      )}
    </>
  )
}
