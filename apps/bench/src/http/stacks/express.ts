import express from 'express'
import { rateLimit } from 'express-rate-limit'
import jwt from 'jsonwebtoken'
import * as v from 'valibot'
import { Bid, Claims, createHighestBids, permission } from './rules.ts'

// The same as idiomatic.ts, as a typical Express application.
const { PORT, JWT_SECRET = '' } = process.env
const app = express()
const placeBid = createHighestBids()

app.post(
  '/api/Bids',
  (request, response, next) => {
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
    if (scheme !== 'Bearer') return void response.status(401).json({ success: false, message: 'A token is missing.' })
    const claims = v.parse(Claims, jwt.verify(token, JWT_SECRET, { algorithms: ['HS256'] }))
    if (!claims.permissions.includes(permission)) return void response.status(403).json({ success: false })
    response.locals['subject'] = claims.sub
    next()
  },
  rateLimit({
    windowMs: 60_000,
    limit: 1_000_000_000,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (_request, response) => String(response.locals['subject']),
  }),
  express.json(),
  (request, response) => {
    const body = v.safeParse(Bid, request.body)
    if (!body.success) return void response.status(400).json({ success: false, message: body.issues[0].message })
    const bid = placeBid(body.output)
    if (bid === undefined) return void response.status(409).json({ success: false, message: 'The amount is too low.' })
    response.status(201).location(`/api/Bids/${bid.id}`)
    response.json({ success: true, message: `Bid ${bid.id} was placed.`, data: bid })
  },
)
app.listen(Number(PORT), '127.0.0.1')
