/** The room's door for threads that read beside the API: nothing behind it loads a schema, a route or another room. */
export { gateForMany } from './gate/gate-for-many.ts'
export { recordKey } from './keys/contact-keys.rules.ts'
