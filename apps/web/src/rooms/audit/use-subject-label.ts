import { useAuditSubjects } from '../../ui/api/audit-actions.ts'
import { fieldName } from '../../ui/text/field-names.ts'

/** Returns the label of a type of record, such as 'Legal basis'. While the labels load, it is derived from the type. */
export function useSubjectLabel(): (type: string) => string {
  const subjects = useAuditSubjects()
  return (type) => subjects.find((one) => one.type === type)?.label ?? fieldName(type)
}
