import { lazyPart } from '../../ui/lazy/lazy-part.tsx'

export const CleaningLine = lazyPart('cleaning', () =>
  import('./cleaning-line.tsx').then((module) => module.CleaningLine),
)
