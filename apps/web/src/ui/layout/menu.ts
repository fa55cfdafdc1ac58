import { lazyPart } from '../lazy/lazy-part.tsx'

/** The menu of a button: `useOpener('menu')` gives what both need. */
export const FloatingMenu = lazyPart('menu', () => import('./floating-menu.tsx').then((module) => module.FloatingMenu))
