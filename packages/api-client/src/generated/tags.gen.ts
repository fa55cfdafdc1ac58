// @ts-nocheck
export type ApiTag = 'normalization' | 'audit' | 'identity' | 'jobs' | 'businesses' | 'suppression' | 'evidence' | 'notes' | 'pipeline' | 'sources' | 'matching' | 'domains' | 'scanning' | 'scoring' | 'interactions' | 'reports' | 'exports' | 'operations' | 'erasure';
