import { defineFacts } from '../define-facts.ts'

export const dashboardFacts = defineFacts({
  room: 'dashboard',
  permissions: { 'dashboard.read': { role: 'viewer', label: 'See the dashboard' } },
  workActions: { 'dashboard.arrange': 'Dashboard arranged' },
})
