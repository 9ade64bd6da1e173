import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { babel } from '@stryker-mutator/core'

type Node = babel.NodePath['node']
/** A mutator of Stryker: the replacements of a node. */
type Mutator = {
  readonly name: string
  readonly mutate: (path: { readonly node: Node; readonly parent: Node }) => Iterable<Node>
}

const removedStatement: Mutator = {
  name: 'RemovedStatement',
  *mutate({ node, parent }) {
    // Stryker empties blocks, which is equal for a single statement.
    const isOnly = parent.type === 'BlockStatement' && parent.body.length === 1
    if (node.type === 'ExpressionStatement' && !isOnly) yield { type: 'EmptyStatement' } as Node // Babel prints it like its nodes.
  },
}

const removedProperty: Mutator = {
  name: 'RemovedProperty',
  *mutate({ node }) {
    // Stryker empties objects, which is equal for a single property.
    if (node.type !== 'ObjectExpression' || node.properties.length < 2) return
    for (const index of node.properties.keys()) {
      yield structuredClone({ ...node, properties: node.properties.toSpliced(index, 1) })
    }
  },
}

const otherNumber: Mutator = {
  name: 'OtherNumber',
  *mutate({ node, parent }) {
    const isKey = parent.type === 'ObjectProperty' && parent.key === node
    if (node.type === 'NumericLiteral' && !isKey) yield { type: node.type, value: node.value + 1 } as Node // As above.
  },
}

const removedAwait: Mutator = {
  name: 'RemovedAwait',
  *mutate({ node }) {
    if (node.type === 'AwaitExpression') yield structuredClone(node.argument)
  },
}

const knownToStryker = new Set(['filter', 'reverse', 'slice', 'sort', 'trim'])
const reorders = new Set(['toReversed', 'toSorted'])

/** Replaces `find().limit()` with `find()`. */
const removedCall: Mutator = {
  name: 'RemovedCall',
  *mutate({ node }) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return
    const { object, property } = node.callee
    if (property.type !== 'Identifier' || knownToStryker.has(property.name)) return
    if (object.type === 'CallExpression' || reorders.has(property.name)) yield structuredClone(object)
  },
}

/**
 * Adds mutators that Stryker lacks: removal of a statement, a property, an `await` or a call of a chain, and change of a number.
 * Stryker has no interface for mutators, so this adds them to its internal list.
 */
export async function addMutators(): Promise<void> {
  const ofStryker = createRequire(import.meta.resolve('@stryker-mutator/core'))
  const instrumenter = pathToFileURL(ofStryker.resolve('@stryker-mutator/instrumenter'))
  const { allMutators } = await import(new URL('mutators/mutate.js', instrumenter).href)
  if (!Array.isArray(allMutators)) throw new TypeError('this version of Stryker has its mutators in another place')
  allMutators.push(removedStatement, removedProperty, otherNumber, removedAwait, removedCall)
}
