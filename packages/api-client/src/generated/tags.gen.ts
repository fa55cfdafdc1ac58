// @ts-nocheck
export type ApiTag = 'normalization' | 'audit' | 'identity' | 'jobs' | 'businesses' | 'suppression' | 'evidence' | 'notes' | 'pipeline' | 'sources' | 'matching' | 'domains' | 'scanning' | 'contacts' | 'scoring' | 'review' | 'saved filters' | 'bulk actions' | 'interactions' | 'reports' | 'exports' | 'dashboard' | 'operations' | 'erasure';
