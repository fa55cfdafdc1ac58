// @ts-nocheck
export type ApiTag = 'operations' | 'identity' | 'audit' | 'jobs' | 'businesses' | 'suppression' | 'evidence' | 'normalization' | 'notes' | 'pipeline' | 'matching' | 'interactions' | 'sources' | 'reports' | 'exports' | 'erasure';
