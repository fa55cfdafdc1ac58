import type { AuditEvent } from '@prospect/api-client'
import { Name } from '../../ui/text/name.tsx'
import { subjectName } from './subject-words.ts'

/** Subject of an event; people are shown by name. */
export function Subject({ of: { subject } }: { of: AuditEvent }) {
  return (
    <>
      {subjectName(subject.type)}
      {subject.name !== null && (
        <>
          {' · '}
          <Name of={subject.name} />
        </>
      )}
    </>
  )
}
