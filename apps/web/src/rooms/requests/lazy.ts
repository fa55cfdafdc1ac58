/** All that the room loads later, in one file: each further file adds its name to what every page loads first. */
export { RecordHoldingDialog } from './holding-dialog.tsx'
export { RequestScreen } from './request-screen.tsx'
export { RequestsScreen } from './requests-screen.tsx'
