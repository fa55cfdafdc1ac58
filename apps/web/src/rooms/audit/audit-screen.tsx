export function AuditScreen() {
  return <p>Audit</p>
}
