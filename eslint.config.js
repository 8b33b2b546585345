import js from '@eslint/js'
import tsdoc from 'eslint-plugin-tsdoc'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

const tests = [
  '**/*.test.{ts,tsx}',
  '**/*.conformance.ts',
  '**/*.fixture.ts',
  'e2e/**',
  'test/**',
  'packages/*/test/**',
]
const scripts = ['**/*.mjs', '*.config.{js,ts}', '.dependency-cruiser.mjs']

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/node_modules/',
    '.cofre/',
    '**/test-results/',
    'packages/client/releases/',
  ]),
  js.configs.recommended,
  {
    // Code is as wide as prettier makes it; nobody wraps a comment but its author.
    rules: {
      'max-len': [
        'error',
        {
          code: 1000,
          comments: 100,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
        },
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { tsdoc },
    languageOptions: {
      parserOptions: {
        project: ['packages/*/tsconfig.json', 'demo/tsconfig.json', 'tsconfig.tests.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'tsdoc/syntax': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: false }],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', 60],
      'max-params': ['error', 3],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is a dependency: take a Clock.' },
        {
          object: 'Math',
          property: 'random',
          message: 'Randomness is a dependency, or node:crypto.',
        },
        {
          object: 'process',
          property: 'env',
          message: 'Only the configuration reads the environment.',
        },
      ],
    },
  },
  {
    // The places where time and environment come from.
    files: [
      'packages/server/src/{main,process/start}.ts',
      'packages/merchant/src/machine.ts',
      'packages/sql/src/testing.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: tests,
    rules: {
      'max-lines': ['error', 600],
      'max-lines-per-function': 'off',
      'max-params': 'off',
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.fixture.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)/]',
          message: 'Test files share what they import: this would run for the first of them alone.',
        },
      ],
    },
  },
  {
    files: scripts,
    languageOptions: {
      globals: {
        clearTimeout: 'readonly',
        console: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
  {
    files: ['docs/examples/**/*.mjs'],
    languageOptions: { globals: { Buffer: 'readonly', URL: 'readonly', fetch: 'readonly' } },
  },
  {
    // Node, and what its benchmarks run in a page.
    files: ['bench/**/*.mjs'],
    languageOptions: {
      globals: {
        Buffer: 'readonly',
        TextEncoder: 'readonly',
        URL: 'readonly',
        crypto: 'readonly',
        document: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
        structuredClone: 'readonly',
      },
    },
  },
  {
    files: ['packages/{checkout,pages,panel,sandbox}/assets/**/*.js'],
    languageOptions: {
      globals: {
        TextEncoder: 'readonly',
        PublicKeyCredential: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        btoa: 'readonly',
        crypto: 'readonly',
        window: 'readonly',
        DOMParser: 'readonly',
        Element: 'readonly',
        EventSource: 'readonly',
        HTMLSelectElement: 'readonly',
        addEventListener: 'readonly',
        document: 'readonly',
        fetch: 'readonly',
        getSelection: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        navigator: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
  {
    files: ['demo/assets/**/*.js', 'docs/examples/**/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        window: 'readonly',
        fetch: 'readonly',
        URL: 'readonly',
        console: 'readonly',
      },
    },
  },
)
