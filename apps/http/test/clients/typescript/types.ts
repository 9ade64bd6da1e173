export interface paths {
    "/api/Auctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List auctions
         * @description Lists the newest auctions first, those with the earliest end, or those that ended last. Prices and descriptions cannot be searched, and lists have no count of all matches.
         *
         *     Permission: `Auctions.Read` (any valid token suffices, unless `PERMISSIONS_AUCTIONS_READ` is set).
         */
        get: operations["listAuctions"];
        put?: never;
        /**
         * Create an auction
         * @description The response always has the status `Pending`.
         *
         *     Permission: `Auctions.Create` (`{SERVICE_NAME}:Auctions:Create`, unless `PERMISSIONS_AUCTIONS_CREATE` is set).
         */
        post: operations["createAuction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Bids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bids of a bidder
         * @description Lists the bids that a user placed in all auctions, newest first, each with its auction and the `standing` of the user there. Automatic bids and raised maximums are not listed; `standing` includes their effect. The list cannot be restricted to one item per auction or to one standing. If the service hides the ids of bidders, only the user and callers with `Bidders.Read` can read it.
         *
         *     Permission: `Bids.Read` (any valid token suffices, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["listBidsOfBidder"];
        put?: never;
        /**
         * Place a bid
         * @description Places a bid of at least the `minimumNextBid` on an open auction, and below the `buyNowPrice` while `buyNowOffered` is true. If the auction has a `maximumNextBid`, the `amount` must not exceed it; a `maximumAmount` may. The leader may raise their own bid.
         *
         *     With a `maximumAmount`, the service bids for the bidder when others bid (proxy bidding): the bid or maximum of the other bidder plus the increment at that amount, up to the maximum. The higher of two maximums leads; of equal maximums, the earlier. If the leader sends a higher `maximumAmount` with an `amount` below the `minimumNextBid`, such as the current price, only their maximum changes, unless it covers an unmet reserve: then the service bids the reserve.
         *
         *     Permission: `Bids.Create` (`{SERVICE_NAME}:Bids:Create`, unless `PERMISSIONS_BIDS_CREATE` is set).
         */
        post: operations["placeBid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an auction
         * @description Returns the current state. With `at`: the state after an event, and the status at its time. That also requires `Bids.Read`, because it shows who bid.
         *
         *     Permission: `Auctions.Read` (any valid token suffices, unless `PERMISSIONS_AUCTIONS_READ` is set).
         */
        get: operations["readAuction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Correct an auction
         * @description Corrects fields before the first bid and before the end, up to 20 times: all but `productId`, `ownerId` and `currency`, and `startTime` only before it has passed. The body is a merge patch (RFC 7396): a field that is absent is kept, null removes an optional field, and members of `metadata` are merged. `softClose` is replaced, so send all of its members. The result must be valid as a whole, like a new auction. With the `ETag` of the last read in `If-Match`, a correction never overwrites one that the client has not read. The service keeps each correction, with its time and the caller.
         *
         *     With `Auctions.Update`, only the owner can correct an auction, and callers must be bound to users; with `Auctions.Update.Any`, any caller can. A caller who may not read the reserve of the auction must send a `reservePrice` with a `startingPrice` or a `buyNowPrice`.
         *
         *     Permission: `Auctions.Update` (`{SERVICE_NAME}:Auctions:Update`, unless `PERMISSIONS_AUCTIONS_UPDATE` is set) or `Auctions.Update.Any` (`{SERVICE_NAME}:Auctions:Update:Any`, unless `PERMISSIONS_AUCTIONS_UPDATE_ANY` is set).
         */
        patch: operations["correctAuction"];
        trace?: never;
    };
    "/api/Bids/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bid
         * @description A bid never changes.
         *
         *     Permission: `Bids.Read` (any valid token suffices, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["readBid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}/Bids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bids of an auction
         * @description Lists the newest bids first.
         *
         *     Permission: `Bids.Read` (any valid token suffices, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["listBids"];
        put?: never;
        /**
         * Place a bid on the auction in the path
         * @description The same as `POST /api/Bids`, with the auction in the path, where a load balancer sees it and can send all bids on the auction to one server. A key that was used on one of the two paths counts on the other.
         *
         *     Permission: `Bids.Create` (`{SERVICE_NAME}:Bids:Create`, unless `PERMISSIONS_BIDS_CREATE` is set).
         */
        post: operations["placeBidOnAuction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}/Events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an auction
         * @description Lists bids, corrections and the result, oldest first. Events are the same for all callers: without reserves and maximums.
         *
         *     With `Accept: text/event-stream` the response is a stream of server-sent events, which begins after `Last-Event-ID`, else after `lastEventId`, else
         *     after `after`, else with a `snapshot` of the auction. A client that reconnects with the last `id` misses nothing and gets nothing twice, however long ago
         *     that was. A 204 means that the auction is over and no event follows.
         *
         *     Permission: `Auctions.Read` (any valid token suffices, unless `PERMISSIONS_AUCTIONS_READ` is set) and `Bids.Read` (any valid token suffices, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/Events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow several auctions
         * @description Returns the states of these auctions, which are the same for all callers: without reserves and maximums.
         *
         *     With `Accept: text/event-stream` the response is a stream of server-sent events: the state of each auction, then the newest state whenever it changes, at
         *     most four times a second. A client that reconnects gets the states again.
         *
         *     Permission: `Auctions.Read` (any valid token suffices, unless `PERMISSIONS_AUCTIONS_READ` is set) and `Bids.Read` (any valid token suffices, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["followAuctions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}/Purchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy now
         * @description Buys the product for the `buyNowPrice` and ends the auction. The offer is open from the start until the first bid or, with a reserve, until the reserve is met; see `buyNowOffered`. Only the first buyer succeeds; others receive `auction-ended`. A bid at or above that price is refused while the offer is open.
         *
         *     Permission: `Bids.Create` (`{SERVICE_NAME}:Bids:Create`, unless `PERMISSIONS_BIDS_CREATE` is set).
         */
        post: operations["buyNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}/Cancellation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an auction
         * @description Cancels an auction before its first bid, or before its end if it was created with `cancellableUntilEnd`. If callers are bound to users, only the owner can cancel. Cancelling a cancelled auction changes nothing, keeps the first reason, and returns 201.
         *
         *     With a `reason`, a caller with `Auctions.Cancel.Any` can cancel any auction before its end, even after bids.
         *
         *     Permission: `Auctions.Cancel` (`{SERVICE_NAME}:Auctions:Cancel`, unless `PERMISSIONS_AUCTIONS_CANCEL` is set) or `Auctions.Cancel.Any` (`{SERVICE_NAME}:Auctions:Cancel:Any`, unless `PERMISSIONS_AUCTIONS_CANCEL_ANY` is set).
         */
        post: operations["cancelAuction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description For orchestrators that restart a server that hangs. Returns 200 while the process responds, even if the store does not.
         */
        get: operations["readLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description For load balancers. The server checks the store at most once a second. After a failed write, the check includes a write.
         */
        get: operations["readReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "auction.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An auction was created
         * @description Posted at least once. The messages of an auction arrive in order: each is posted after the previous one was received. Signed as
         *     [Standard Webhooks](https://www.standardwebhooks.com) 1.0 defines.
         */
        post: operations["AuctionCreatedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "auction.bid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bid was placed
         * @description Posted at least once. The messages of an auction arrive in order: each is posted after the previous one was received. Signed as
         *     [Standard Webhooks](https://www.standardwebhooks.com) 1.0 defines.
         */
        post: operations["AuctionBidMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "auction.corrected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An auction was corrected
         * @description Posted at least once. The messages of an auction arrive in order: each is posted after the previous one was received. Signed as
         *     [Standard Webhooks](https://www.standardwebhooks.com) 1.0 defines.
         */
        post: operations["AuctionCorrectedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "auction.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An auction has a final result
         * @description Posted at least once. The messages of an auction arrive in order: each is posted after the previous one was received. Signed as
         *     [Standard Webhooks](https://www.standardwebhooks.com) 1.0 defines.
         */
        post: operations["AuctionEndedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Auction: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The product for sale. */
            productId: number;
            /** @description The user who sells, who cannot bid. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description Well-formed Unicode, counted in code points. */
            description?: string;
            /** @description The minimum first bid. */
            startingPrice: number;
            /** @description The minimum increase over the previous bid, except for automatic bids; the lowest of the increments. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description The start. It may be in the past.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description The end, in UTC, unless late bids extend it. After the start and in the future.
             */
            endTime: string;
            softClose?: components["schemas"]["SoftClose"];
            /** @description The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean;
            /** @description Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts. */
            incrementSteps?: components["schemas"]["IncrementStep"][];
            /** @description The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`. */
            incrementPercent?: number;
            /** @description How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher. */
            maximumBidIncrement?: number;
            /** @description Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
        };
        AuctionView: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The product for sale. */
            productId: number;
            /** @description The user who sells, who cannot bid. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description Well-formed Unicode, counted in code points. */
            description?: string;
            /** @description The minimum first bid. */
            startingPrice: number;
            /** @description The minimum increase over the previous bid, except for automatic bids; the lowest of the increments. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description The start. It may be in the past.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description The end, in UTC, unless late bids extend it. After the start and in the future.
             */
            endTime: string;
            softClose?: components["schemas"]["SoftClose"];
            /** @description The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean;
            /** @description Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts. */
            incrementSteps?: components["schemas"]["IncrementStep"][];
            /** @description The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`. */
            incrementPercent?: number;
            /** @description How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher. */
            maximumBidIncrement?: number;
            /** @description Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            /** @description The highest bid, or the starting price if the auction has no bids. */
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description The highest `amount` that the next bid may offer. It does not limit a `maximumAmount`. */
            maximumNextBid?: number;
            /** @description The number of bids, including automatic bids. */
            bidCount: number;
            /** @description The bidder of the highest bid; null if the auction has no bids. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            leaderId: number | null;
            /** @description Whether the caller is the leader. Present only if callers are bound to users. */
            youLead?: boolean;
            /** @description The maximum of the caller, if the caller leads and the price is below it. */
            yourMaximum?: number;
            /**
             * Format: date-time
             * @description The end that counts: the `endTime`, or the later end to which bids moved it so far.
             */
            effectiveEndTime: string;
            /** @description With a reserve: whether the highest bid meets it. */
            reserveMet?: boolean;
            /** @description With a buy-now price: whether the offer is open. */
            buyNowOffered?: boolean;
            /** @description Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes. */
            result: components["schemas"]["AuctionResult"] | null;
            /**
             * Format: date-time
             * @description When the auction was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the `result` became final, in UTC; null until then.
             */
            endedAt: string | null;
            /**
             * Format: date-time
             * @description When the title or the description was last corrected, in UTC; null if they are as created.
             */
            correctedAt: string | null;
        };
        AuctionListItem: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The product for sale. */
            productId: number;
            /** @description The user who sells, who cannot bid. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description The minimum first bid. */
            startingPrice: number;
            /** @description The minimum increase over the previous bid, except for automatic bids; the lowest of the increments. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description The start. It may be in the past.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description The end, in UTC, unless late bids extend it. After the start and in the future.
             */
            endTime: string;
            softClose?: components["schemas"]["SoftClose"];
            /** @description The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean;
            /** @description Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts. */
            incrementSteps?: components["schemas"]["IncrementStep"][];
            /** @description The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`. */
            incrementPercent?: number;
            /** @description How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher. */
            maximumBidIncrement?: number;
            /** @description Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            /** @description The highest bid, or the starting price if the auction has no bids. */
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description The highest `amount` that the next bid may offer. It does not limit a `maximumAmount`. */
            maximumNextBid?: number;
            /** @description The number of bids, including automatic bids. */
            bidCount: number;
            /** @description The bidder of the highest bid; null if the auction has no bids. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            leaderId: number | null;
            /** @description Whether the caller is the leader. Present only if callers are bound to users. */
            youLead?: boolean;
            /** @description The maximum of the caller, if the caller leads and the price is below it. */
            yourMaximum?: number;
            /**
             * Format: date-time
             * @description The end that counts: the `endTime`, or the later end to which bids moved it so far.
             */
            effectiveEndTime: string;
            /** @description With a reserve: whether the highest bid meets it. */
            reserveMet?: boolean;
            /** @description With a buy-now price: whether the offer is open. */
            buyNowOffered?: boolean;
            /** @description Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes. */
            result: components["schemas"]["AuctionResult"] | null;
            /**
             * Format: date-time
             * @description When the auction was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the `result` became final, in UTC; null until then.
             */
            endedAt: string | null;
            /**
             * Format: date-time
             * @description When the title or the description was last corrected, in UTC; null if they are as created.
             */
            correctedAt: string | null;
        };
        AuctionResult: components["schemas"]["Sold"] | components["schemas"]["Unsold"] | components["schemas"]["Bought"] | components["schemas"]["Cancelled"];
        Sold: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "sold";
            /** @description The winning bid. */
            bidId: number;
            /** @description The bidder of the winning bid. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            winnerId: number;
            /** @description The amount of the winning bid. */
            price: number;
        };
        Unsold: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "unsold";
            /**
             * @description The auction has no bids, or the highest bid is below the reserve.
             * @enum {string}
             */
            reason: "no-bids" | "reserve-not-met";
        };
        Bought: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "bought";
            /** @description The user who bought it. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            buyerId: number;
            /** @description The buy-now price. */
            price: number;
        };
        Cancelled: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "cancelled";
            /** @description The reason given, if any. */
            reason?: string;
        };
        SoftClose: {
            /** @description The time before the end in which a bid extends the auction. */
            windowSeconds: number;
            /** @description The minimum time between a late bid and the end. */
            extensionSeconds: number;
            /**
             * Format: date-time
             * @description The latest possible end. After `endTime`, by at most one week.
             */
            latestEndTime: string;
        };
        IncrementStep: {
            /** @description The price from which the increment counts; above that of the step before. */
            fromPrice: number;
            /** @description The increment; at least `minimumBidIncrement` and that of the step before. */
            increment: number;
        };
        AuctionSummary: {
            /** @description Assigned by the service. */
            id: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description The end, in UTC, unless late bids extend it. After the start and in the future.
             */
            endTime: string;
            /** @description Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            /** @description The highest bid, or the starting price if the auction has no bids. */
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description The highest `amount` that the next bid may offer. It does not limit a `maximumAmount`. */
            maximumNextBid?: number;
            /** @description The maximum of the caller, if the caller leads and the price is below it. */
            yourMaximum?: number;
            /**
             * Format: date-time
             * @description The end that counts: the `endTime`, or the later end to which bids moved it so far.
             */
            effectiveEndTime: string;
            /** @description Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes. */
            result: components["schemas"]["AuctionResult"] | null;
            /**
             * Format: date-time
             * @description When the `result` became final, in UTC; null until then.
             */
            endedAt: string | null;
        };
        Bid: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The auction to bid on. */
            auctionId: number;
            /** @description The user who placed the bid. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            bidderId: number;
            /** @description In the currency of the auction. With `raisesMaximum`, the current bid of the leader. */
            amount: number;
            /**
             * Format: date-time
             * @description The recorded time of the bid, in UTC: that of its arrival.
             */
            timestamp: string;
            /** @description The maximum that this bid set. Visible only to the bidder. */
            maximumAmount?: number;
            /**
             * @description Present if the service placed the bid for a bidder with a maximum.
             * @constant
             */
            automatic?: true;
            /**
             * @description Present if this is not a bid but a higher maximum of the leader. Lists omit it.
             * @constant
             */
            raisesMaximum?: true;
        };
        BidderBid: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The auction to bid on. */
            auctionId: number;
            /** @description The user who placed the bid. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            bidderId: number;
            /** @description In the currency of the auction. With `raisesMaximum`, the current bid of the leader. */
            amount: number;
            /**
             * Format: date-time
             * @description The recorded time of the bid, in UTC: that of its arrival.
             */
            timestamp: string;
            /** @description The maximum that this bid set. Visible only to the bidder. */
            maximumAmount?: number;
            /**
             * @description The standing of the bidder, not of this bid, in the auction: `leading` or `outbid` until `result` is known, then `won` (sold to or bought by the bidder), `lost` (sold to or bought by another, or unsold) or `cancelled`.
             * @enum {string}
             */
            standing: "leading" | "outbid" | "won" | "lost" | "cancelled";
            auction: components["schemas"]["AuctionSummary"];
        };
        Event: components["schemas"]["BidEvent"] | components["schemas"]["CorrectedEvent"] | components["schemas"]["EndedEvent"];
        BidEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bid";
            auctionId: number;
            /** @description The position of the event. Not every sequence has an event. */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was recorded, in UTC.
             */
            timestamp: string;
            /** @description The bid, and the automatic bid that it caused, if any. */
            bids: {
                /** @description Assigned by the service. */
                id: number;
                /** @description The auction to bid on. */
                auctionId: number;
                /** @description The user who placed the bid. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
                bidderId: number;
                /** @description In the currency of the auction. With `raisesMaximum`, the current bid of the leader. */
                amount: number;
                /**
                 * Format: date-time
                 * @description The recorded time of the bid, in UTC: that of its arrival.
                 */
                timestamp: string;
                /**
                 * @description Present if the service placed the bid for a bidder with a maximum.
                 * @constant
                 */
                automatic?: true;
            }[];
            /** @description The highest bid, or the starting price if the auction has no bids. */
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description The highest `amount` that the next bid may offer. It does not limit a `maximumAmount`. */
            maximumNextBid?: number;
            /** @description The number of bids, including automatic bids. */
            bidCount: number;
            /** @description The bidder of the highest bid; null if the auction has no bids. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            leaderId: number | null;
            /** @description The bidder who led before and was outbid. Absent if the auction had no bids, or the leader still leads. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
            previousLeaderId?: number;
            /**
             * Format: date-time
             * @description The end that counts: the `endTime`, or the later end to which bids moved it so far.
             */
            effectiveEndTime: string;
            /** @description With a reserve: whether the highest bid meets it. */
            reserveMet?: boolean;
            /** @description With a buy-now price: whether the offer is open. */
            buyNowOffered?: boolean;
        };
        CorrectedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "corrected";
            auctionId: number;
            /** @description The position of the event. Not every sequence has an event. */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was recorded, in UTC.
             */
            timestamp: string;
            /** @description What was corrected. Read the auction for the texts: a later correction may remove them. */
            fields: ("title" | "description" | "startingPrice" | "minimumBidIncrement" | "startTime" | "endTime" | "softClose" | "reservePrice" | "buyNowPrice" | "cancellableUntilEnd" | "incrementSteps" | "incrementPercent" | "maximumBidIncrement" | "metadata")[];
        };
        EndedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ended";
            auctionId: number;
            /** @description The position of the event. Not every sequence has an event. */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was recorded, in UTC.
             */
            timestamp: string;
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            result: components["schemas"]["AuctionResult"];
            /** @description Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all. */
            metadata?: {
                [key: string]: string;
            };
        };
        AuctionState: {
            /** @description The sequence of the newest entry that the state includes; 0 without one. */
            sequence: number;
            auction: components["schemas"]["AuctionListItem"];
        };
        CreatedAuction: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The product for sale. */
            productId: number;
            /** @description The user who sells, who cannot bid. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description The minimum first bid. */
            startingPrice: number;
            /** @description The minimum increase over the previous bid, except for automatic bids; the lowest of the increments. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description The start. It may be in the past.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description The end, in UTC, unless late bids extend it. After the start and in the future.
             */
            endTime: string;
            softClose?: components["schemas"]["SoftClose"];
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean;
            /** @description Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts. */
            incrementSteps?: components["schemas"]["IncrementStep"][];
            /** @description The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`. */
            incrementPercent?: number;
            /** @description How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher. */
            maximumBidIncrement?: number;
            /** @description Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
        };
        CreatedEvent: {
            /** @constant */
            type: "created";
            auctionId: number;
            /** @constant */
            sequence: 0;
            /**
             * Format: date-time
             * @description When it was recorded, in UTC.
             */
            timestamp: string;
            auction: components["schemas"]["CreatedAuction"];
        };
        FieldError: {
            /** @description JSON Pointer (RFC 6901) to the field, parameter or header. `""` is the whole body. */
            pointer: string;
            /** @description The rule that the value breaks. */
            message: string;
        };
        AuctionCreatedMessage: {
            /** @constant */
            type: "auction.created";
            /**
             * Format: date-time
             * @description When the event was recorded, in UTC.
             */
            timestamp: string;
            data: components["schemas"]["CreatedEvent"];
        };
        AuctionBidMessage: {
            /** @constant */
            type: "auction.bid";
            /**
             * Format: date-time
             * @description When the event was recorded, in UTC.
             */
            timestamp: string;
            data: components["schemas"]["BidEvent"];
        };
        AuctionCorrectedMessage: {
            /** @constant */
            type: "auction.corrected";
            /**
             * Format: date-time
             * @description When the event was recorded, in UTC.
             */
            timestamp: string;
            data: components["schemas"]["CorrectedEvent"];
        };
        AuctionEndedMessage: {
            /** @constant */
            type: "auction.ended";
            /**
             * Format: date-time
             * @description When the event was recorded, in UTC.
             */
            timestamp: string;
            data: components["schemas"]["EndedEvent"];
        };
        CreateAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: components["schemas"]["Auction"];
        };
        PlaceBidSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: {
                /** @description Assigned by the service. */
                id: number;
                /** @description The auction to bid on. */
                auctionId: number;
                /** @description The user who placed the bid. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
                bidderId: number;
                /** @description In the currency of the auction. With `raisesMaximum`, the current bid of the leader. */
                amount: number;
                /**
                 * Format: date-time
                 * @description The recorded time of the bid, in UTC: that of its arrival.
                 */
                timestamp: string;
                /** @description The maximum that this bid set. Visible only to the bidder. */
                maximumAmount?: number;
                /**
                 * @description Present if the service placed the bid for a bidder with a maximum.
                 * @constant
                 */
                automatic?: true;
                /**
                 * @description Present if this is not a bid but a higher maximum of the leader. Lists omit it.
                 * @constant
                 */
                raisesMaximum?: true;
                /** @description The bidder of the highest bid; null if the auction has no bids. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
                leaderId: number | null;
                /** @description Whether the caller is the leader. Present only if callers are bound to users. */
                youLead?: boolean;
                /** @description The maximum of the caller, if the caller leads and the price is below it. */
                yourMaximum?: number;
            };
        };
        ReadAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: components["schemas"]["AuctionView"];
            /**
             * Format: date-time
             * @description The time of the server when it began to read, in UTC. The entity tag does not cover it.
             */
            now: string;
        };
        ListAuctionsSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: {
                items: components["schemas"]["AuctionListItem"][];
                /** @description The `cursor` of the next page; null on the last page. A page before the last may be short. */
                nextCursor: string | null;
            };
            /**
             * Format: date-time
             * @description The time of the server when it began to read, in UTC. The entity tag does not cover it.
             */
            now: string;
        };
        ReadBidSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: components["schemas"]["Bid"];
            /**
             * Format: date-time
             * @description The time of the server when it began to read, in UTC. The entity tag does not cover it.
             */
            now: string;
        };
        ListBidsSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: {
                items: components["schemas"]["Bid"][];
                /** @description The `cursor` of the next page; null on the last page. A page before the last may be short. */
                nextCursor: string | null;
            };
            /**
             * Format: date-time
             * @description The time of the server when it began to read, in UTC. The entity tag does not cover it.
             */
            now: string;
        };
        PlaceBidOnAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: {
                /** @description Assigned by the service. */
                id: number;
                /** @description The auction to bid on. */
                auctionId: number;
                /** @description The user who placed the bid. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
                bidderId: number;
                /** @description In the currency of the auction. With `raisesMaximum`, the current bid of the leader. */
                amount: number;
                /**
                 * Format: date-time
                 * @description The recorded time of the bid, in UTC: that of its arrival.
                 */
                timestamp: string;
                /** @description The maximum that this bid set. Visible only to the bidder. */
                maximumAmount?: number;
                /**
                 * @description Present if the service placed the bid for a bidder with a maximum.
                 * @constant
                 */
                automatic?: true;
                /**
                 * @description Present if this is not a bid but a higher maximum of the leader. Lists omit it.
                 * @constant
                 */
                raisesMaximum?: true;
                /** @description The bidder of the highest bid; null if the auction has no bids. A negative number is a pseudonym for this auction, if the service hides the ids of other bidders. */
                leaderId: number | null;
                /** @description Whether the caller is the leader. Present only if callers are bound to users. */
                youLead?: boolean;
                /** @description The maximum of the caller, if the caller leads and the price is below it. */
                yourMaximum?: number;
            };
        };
        ListBidsOfBidderSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: {
                items: components["schemas"]["BidderBid"][];
                /** @description The `cursor` of the next page; null on the last page. A page before the last may be short. */
                nextCursor: string | null;
            };
            /**
             * Format: date-time
             * @description The time of the server when it began to read, in UTC. The entity tag does not cover it.
             */
            now: string;
        };
        ListEventsSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: {
                items: components["schemas"]["Event"][];
                /** @description The `after` of the next page, which may be empty. */
                position: number;
                /** @description Whether the page contains the newest event. */
                isAtHead: boolean;
            };
            /**
             * Format: date-time
             * @description The time of the server when it began to read, in UTC. The entity tag does not cover it.
             */
            now: string;
        };
        FollowAuctionsSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: {
                items: components["schemas"]["AuctionState"][];
                /** @description The ids of auctions that do not exist. */
                missing: number[];
            };
            /**
             * Format: date-time
             * @description The time of the server when it began to read, in UTC. The entity tag does not cover it.
             */
            now: string;
        };
        BuyNowSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        CorrectAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        CancelAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        ReadLivenessSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: Record<string, never>;
        };
        ReadReadinessSuccess: {
            /** @constant */
            success: true;
            /** @description A message for people. */
            message: string;
            data: Record<string, never>;
        };
        BadRequestProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 400;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "bad-request";
        };
        MalformedJsonProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:malformed-json";
            /** @constant */
            title: "Malformed JSON";
            /** @constant */
            status: 400;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "malformed-json";
        };
        ValidationFailedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:validation-failed";
            /** @constant */
            title: "Validation failed";
            /** @constant */
            status: 400;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "validation-failed";
            /** @description The first 20 errors. */
            errors: components["schemas"]["FieldError"][];
            /** @description The number of errors that are not listed. */
            moreErrors?: number;
        };
        UnauthenticatedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:unauthenticated";
            /** @constant */
            title: "Unauthenticated";
            /** @constant */
            status: 401;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "unauthenticated";
        };
        ForbiddenProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:forbidden";
            /** @constant */
            title: "Forbidden";
            /** @constant */
            status: 403;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "forbidden";
        };
        NotFoundProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:not-found";
            /** @constant */
            title: "Not found";
            /** @constant */
            status: 404;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "not-found";
        };
        AuctionNotFoundProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-not-found";
            /** @constant */
            title: "Auction not found";
            /** @constant */
            status: 404;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "auction-not-found";
        };
        BidNotFoundProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bid-not-found";
            /** @constant */
            title: "Bid not found";
            /** @constant */
            status: 404;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "bid-not-found";
        };
        MethodNotAllowedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:method-not-allowed";
            /** @constant */
            title: "Method not allowed";
            /** @constant */
            status: 405;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "method-not-allowed";
        };
        RequestTimeoutProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 408;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "bad-request";
        };
        AuctionNotStartedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-not-started";
            /** @constant */
            title: "Auction not started";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-not-started";
            /** Format: date-time */
            startTime: string;
        };
        AuctionEndedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-ended";
            /** @constant */
            title: "Auction ended";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-ended";
            /**
             * Format: date-time
             * @description When the auction ended, in UTC.
             */
            endTime: string;
        };
        AuctionCancelledProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-cancelled";
            /** @constant */
            title: "Auction cancelled";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-cancelled";
        };
        AuctionHasBidsProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-has-bids";
            /** @constant */
            title: "Auction has bids";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-has-bids";
        };
        TooManyCorrectionsProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:too-many-corrections";
            /** @constant */
            title: "Too many corrections";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "too-many-corrections";
        };
        OwnerCannotBidProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:owner-cannot-bid";
            /** @constant */
            title: "Owner cannot bid";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "owner-cannot-bid";
        };
        BidTooLowProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bid-too-low";
            /** @constant */
            title: "Bid too low";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "bid-too-low";
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible. */
            minimumNextBid: number | null;
            currency: string;
        };
        BidTooHighProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bid-too-high";
            /** @constant */
            title: "Bid too high";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "bid-too-high";
            currentPrice: number;
            /** @description The highest `amount` that the next bid may offer. It does not limit a `maximumAmount`. */
            maximumNextBid: number;
            currency: string;
        };
        BuyNowIsLowerProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:buy-now-is-lower";
            /** @constant */
            title: "Buy now is lower";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "buy-now-is-lower";
            buyNowPrice: number;
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible. */
            minimumNextBid: number | null;
            currency: string;
        };
        MaximumNotRaisedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:maximum-not-raised";
            /** @constant */
            title: "Maximum not raised";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "maximum-not-raised";
        };
        OwnerCannotBuyProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:owner-cannot-buy";
            /** @constant */
            title: "Owner cannot buy";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "owner-cannot-buy";
        };
        BuyNowNotOfferedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:buy-now-not-offered";
            /** @constant */
            title: "Buy now not offered";
            /** @constant */
            status: 409;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "buy-now-not-offered";
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible. */
            minimumNextBid: number | null;
            currency: string;
        };
        PreconditionFailedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:precondition-failed";
            /** @constant */
            title: "Precondition failed";
            /** @constant */
            status: 412;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "precondition-failed";
        };
        PayloadTooLargeProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:payload-too-large";
            /** @constant */
            title: "Payload too large";
            /** @constant */
            status: 413;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "payload-too-large";
        };
        UnsupportedMediaTypeProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:unsupported-media-type";
            /** @constant */
            title: "Unsupported media type";
            /** @constant */
            status: 415;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "unsupported-media-type";
        };
        IdempotencyKeyReusedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:idempotency-key-reused";
            /** @constant */
            title: "Idempotency key reused";
            /** @constant */
            status: 422;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "idempotency-key-reused";
        };
        PreconditionRequiredProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:precondition-required";
            /** @constant */
            title: "Precondition required";
            /** @constant */
            status: 428;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "precondition-required";
        };
        RateLimitedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:rate-limited";
            /** @constant */
            title: "Rate limited";
            /** @constant */
            status: 429;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "rate-limited";
        };
        HeadersTooLargeProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 431;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "bad-request";
        };
        InternalProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:internal";
            /** @constant */
            title: "Internal error";
            /** @constant */
            status: 500;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "internal";
            requestId: string;
        };
        UnsupportedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:unsupported";
            /** @constant */
            title: "Unsupported";
            /** @constant */
            status: 501;
            /**
             * @description A stable code for programs.
             * @constant
             */
            code: "unsupported";
        };
        StoreUnavailableProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:store-unavailable";
            /** @constant */
            title: "Store unavailable";
            /** @constant */
            status: 503;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "store-unavailable";
        };
        IssuerUnavailableProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:issuer-unavailable";
            /** @constant */
            title: "Issuer unavailable";
            /** @constant */
            status: 503;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "issuer-unavailable";
        };
        OverloadedProblem: {
            /** @constant */
            success: false;
            /** @description A message for people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:overloaded";
            /** @constant */
            title: "Overloaded";
            /** @constant */
            status: 503;
            /**
             * @description A stable code for programs. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "overloaded";
        };
        CreateAuctionRequest: {
            /** @description The product for sale. */
            productId: number;
            /** @description The user who sells, who cannot bid. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string | null;
            /** @description Well-formed Unicode, counted in code points. */
            description?: string | null;
            /** @description The minimum first bid. */
            startingPrice: number;
            /** @description The minimum increase over the previous bid, except for automatic bids; the lowest of the increments. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /** @description The start. It may be in the past. */
            startTime: string;
            /** @description The end, in UTC, unless late bids extend it. After the start and in the future. */
            endTime: string;
            /** @description Extends the auction on late bids. */
            softClose?: {
                /** @description The time before the end in which a bid extends the auction. */
                windowSeconds: number;
                /** @description The minimum time between a late bid and the end. */
                extensionSeconds: number;
                /** @description The latest possible end. After `endTime`, by at most one week. */
                latestEndTime: string;
            } | null;
            /** @description The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number | null;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number | null;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean | null;
            /** @description Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts. */
            incrementSteps?: {
                /** @description The price from which the increment counts; above that of the step before. */
                fromPrice: number;
                /** @description The increment; at least `minimumBidIncrement` and that of the step before. */
                increment: number;
            }[] | null;
            /** @description The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`. */
            incrementPercent?: number | null;
            /** @description How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher. */
            maximumBidIncrement?: number | null;
            /** @description Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Assigned by the service; ignored in requests. */
            readonly id?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly status?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly timestamp?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly currentPrice?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly minimumNextBid?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly maximumNextBid?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly bidCount?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly result?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly effectiveEndTime?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly reserveMet?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly buyNowOffered?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly leaderId?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly youLead?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly yourMaximum?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly createdAt?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly endedAt?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly correctedAt?: unknown;
        };
        PlaceBidRequest: {
            /** @description The auction to bid on. */
            auctionId: number;
            /** @description The user who bids. */
            bidderId: number;
            /** @description The amount in the currency of the auction: at least `minimumNextBid`, at most `maximumNextBid`, and below the `buyNowPrice` while that is offered. A lower one is no bid; with it, the leader can send a higher `maximumAmount`. */
            amount: number;
            /** @description The limit up to which the service bids for the bidder; at least `amount`, even above the `buyNowPrice`. Visible only to the bidder. */
            maximumAmount?: number | null;
            /** @description Assigned by the service; ignored in requests. */
            readonly id?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly status?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly timestamp?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly automatic?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly raisesMaximum?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly leaderId?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly youLead?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly yourMaximum?: unknown;
        };
        PlaceBidOnAuctionRequest: {
            /** @description If it is present, the auction in the path. */
            auctionId?: number | null;
            /** @description The user who bids. */
            bidderId: number;
            /** @description The amount in the currency of the auction: at least `minimumNextBid`, at most `maximumNextBid`, and below the `buyNowPrice` while that is offered. A lower one is no bid; with it, the leader can send a higher `maximumAmount`. */
            amount: number;
            /** @description The limit up to which the service bids for the bidder; at least `amount`, even above the `buyNowPrice`. Visible only to the bidder. */
            maximumAmount?: number | null;
            /** @description Assigned by the service; ignored in requests. */
            readonly id?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly status?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly timestamp?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly automatic?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly raisesMaximum?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly leaderId?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly youLead?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly yourMaximum?: unknown;
        };
        BuyNowRequest: {
            /** @description The user who buys, who must not be the owner. */
            buyerId: number;
        };
        CorrectAuctionRequest: {
            /** @description Well-formed Unicode, counted in code points. */
            title?: string | null;
            /** @description Well-formed Unicode, counted in code points. */
            description?: string | null;
            /** @description The minimum first bid. */
            startingPrice?: number;
            /** @description The minimum increase over the previous bid, except for automatic bids; the lowest of the increments. */
            minimumBidIncrement?: number;
            /** @description The start. It may be in the past. */
            startTime?: string;
            /** @description The end, in UTC, unless late bids extend it. After the start and in the future. */
            endTime?: string;
            /** @description Extends the auction on late bids. */
            softClose?: {
                /** @description The time before the end in which a bid extends the auction. */
                windowSeconds: number;
                /** @description The minimum time between a late bid and the end. */
                extensionSeconds: number;
                /** @description The latest possible end. After `endTime`, by at most one week. */
                latestEndTime: string;
            } | null;
            /** @description The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number | null;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number | null;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean | null;
            /** @description Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts. */
            incrementSteps?: {
                /** @description The price from which the increment counts; above that of the step before. */
                fromPrice: number;
                /** @description The increment; at least `minimumBidIncrement` and that of the step before. */
                increment: number;
            }[] | null;
            /** @description The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`. */
            incrementPercent?: number | null;
            /** @description How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher. */
            maximumBidIncrement?: number | null;
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        CancelAuctionRequest: {
            /** @description The reason, visible to all readers of the auction. Well-formed Unicode, counted in code points. */
            reason?: string | null;
        };
    };
    responses: {
        /** @description - `unauthenticated`: The token is missing or invalid. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthenticatedProblem"];
            };
        };
        /** @description - `forbidden`: The token lacks the permission, or identifies another user. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /** @description - `bad-request`: The request took too long to arrive. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RequestTimeoutProblem"];
            };
        };
        /** @description - `payload-too-large`: The body is larger than 64 KiB, or 4 KiB for a bid. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /** @description - `unsupported-media-type`: The body does not have the media type of the operation, or is compressed. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Accept: components["headers"]["Accept"];
                "Accept-Patch": components["headers"]["Accept-Patch"];
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description - `rate-limited`: The quota of the caller, or of its address, is used up. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /** @description - `bad-request`: The request line and headers are larger than 16 KiB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["HeadersTooLargeProblem"];
            };
        };
        /** @description - `internal`: An internal error occurred. The log has the details. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalProblem"];
            };
        };
        /**
         * @description - `store-unavailable`: The store does not respond. `message` states whether the outcome is unknown.
         *     - `issuer-unavailable`: The keys of the issuer are unavailable, so the token cannot be verified. Nothing was changed.
         *     - `overloaded`: Too many requests are waiting, or the server is shutting down. Nothing was changed.
         */
        StoreUnavailableOrIssuerUnavailableOrOverloaded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["IssuerUnavailableProblem"] | components["schemas"]["OverloadedProblem"];
            };
        };
        /** @description - `idempotency-key-reused`: The key was used for a different request. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyReusedProblem"];
            };
        };
        /**
         * @description - `bad-request`: The request is not valid HTTP.
         *     - `validation-failed`: A field, parameter or header is missing or invalid.
         */
        BadRequestOrValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
            };
        };
        /**
         * @description - `bad-request`: The request is not valid HTTP.
         *     - `malformed-json`: The body is not valid JSON in UTF-8, or repeats a member name.
         *     - `validation-failed`: A field, parameter or header is missing or invalid.
         */
        BadRequestOrMalformedJsonOrValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
            };
        };
        /** @description - `bad-request`: The request is not valid HTTP. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BadRequestProblem"];
            };
        };
        /**
         * @description - `not-found`: The path does not exist.
         *     - `method-not-allowed`: The path does not support the method.
         */
        NotFoundOrMethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"] | components["schemas"]["MethodNotAllowedProblem"];
            };
        };
    };
    parameters: {
        /** @description Makes retries safe: the same request with the same key takes effect only once. */
        IdempotencyKey: string;
        /** @description Entity tags of cached responses. The server returns 304 if one is current. */
        IfNoneMatch: string;
        /** @description Entity tags, one of which must be that of the resource, or `*` for any state of it. Weak tags never match. */
        IfMatch: string;
        /** @description For a stream: the `id` of the last event that the client has. It takes precedence over `lastEventId` and `after`. */
        LastEventId: number;
        /** @description An id for this request. The server replaces an invalid one. */
        RequestId: string;
        /** @description The W3C trace context. The server ignores an invalid one. */
        TraceParent: string;
        /**
         * @description Identifies the event: the same in each attempt.
         * @example evt_1_1
         */
        WebhookId: string;
        /**
         * @description When the attempt was made, in seconds since 1970.
         * @example 1896091200
         */
        WebhookTimestamp: string;
        /**
         * @description One or two signatures, separated by a space: HMAC-SHA256 of `{id}.{timestamp}.{body}` in base64, after `v1,`.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request in the log: the id that the client sent, if valid. */
        "X-Request-Id": string;
        /** @description The URL of the created resource. */
        Location: string;
        /** @description `true` if an earlier request with the same `Idempotency-Key` created the resource. */
        "Idempotency-Replayed": string;
        /** @description The entity tag of the response, for `If-None-Match` and `If-Match`. */
        ETag: string;
        /** @description The quota that the request counts toward, and the seconds in which all of it refills, for example `"reads";q=300;w=60`. */
        "RateLimit-Policy": string;
        /** @description The remaining quota and the seconds until it has one more, for example `"reads";r=299;t=1`. */
        RateLimit: string;
        /** @description The seconds to wait before the next request. */
        "Retry-After": number;
        /** @description The problem with the token (RFC 6750, section 3). Every 401 has it, and a 403 for a missing permission. */
        "WWW-Authenticate": string;
        /** @description The supported media type. */
        Accept: string;
        /** @description The media type that PATCH supports (RFC 5789). */
        "Accept-Patch": string;
        /** @description `identity`: the body must not be compressed. */
        "Accept-Encoding": string;
        /** @description The methods that the path supports. */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuctions: {
        parameters: {
            query?: {
                /** @description Only these auctions, in this order; unknown ids are ignored, and no other parameter is allowed: 1 to 100 different ids, separated by commas. */
                ids?: string;
                /** @description The maximum number of items on the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is opaque. New items do not make a page skip or repeat an item. */
                cursor?: string;
                /** @description Only auctions with this status. One that was bought or cancelled is listed when the store has noted it, which a crash may delay until its `startTime` or `endTime`. */
                status?: "Pending" | "Active" | "Ended" | "Cancelled";
                /** @description Only auctions of this owner. */
                ownerId?: number;
                /** @description Only auctions of this product. */
                productId?: number;
                /** @description `endTime` lists the earliest end first and requires `status=Active`. An extended auction is listed by its `endTime` until a few seconds after it, then by its extended end, so it may appear again on a later page. One whose end is corrected to an earlier time between two pages may be on none. `endedTime` lists the latest end first, by the time of the purchase, the cancellation or the last end, and requires `status=Ended`, `status=Cancelled` or an `outcome`. An auction appears when it has a `result`; until then, read it by `ids`. */
                sort?: "endTime" | "endedTime";
                /** @description Only auctions that ended with this `outcome`. Requires `sort=endedTime`; `status=Ended` may be omitted. */
                outcome?: "sold" | "unsold" | "bought";
                /** @description Only auctions with all these words among the first 32 of the title, in any order: 1 to 8 whole words, not prefixes, without regard to case and accents: `smorrebrod` finds Smørrebrød, `aegir` Ægir. In languages without spaces, each character is a word. Cannot be combined with `sort`. */
                q?: string;
            };
            header?: {
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of auctions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuctionsSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            /** @description - `unsupported`: The store of this service does not support searches (`q`). */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UnsupportedProblem"];
                };
            };
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    createAuction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same request with the same key takes effect only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Up to 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAuctionRequest"];
            };
        };
        responses: {
            /** @description The auction was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAuctionSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `malformed-json`: The body is not valid JSON in UTF-8, or repeats a member name.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - `idempotency-key-reused`: The key was used for a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdempotencyKeyReusedProblem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    listBidsOfBidder: {
        parameters: {
            query: {
                /** @description The user who placed the bids. */
                bidderId: number;
                /** @description The maximum number of items on the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is opaque. New items do not make a page skip or repeat an item. */
                cursor?: string;
            };
            header?: {
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of bids. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBidsOfBidderSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            /** @description - `unsupported`: The store of this service does not support it. */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UnsupportedProblem"];
                };
            };
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    placeBid: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same request with the same key takes effect only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Up to 4 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceBidRequest"];
            };
        };
        responses: {
            /** @description The bid was placed. `leaderId`, `youLead` and `yourMaximum` are those right after the bid, even in a repeated response. The price may be above `amount`: read the auction. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaceBidSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `malformed-json`: The body is not valid JSON in UTF-8, or repeats a member name.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-not-started`: The auction has not started.
             *     - `auction-ended`: The auction has ended: its time is over, or it was bought.
             *     - `auction-cancelled`: The auction was cancelled.
             *     - `owner-cannot-bid`: The bidder owns the auction.
             *     - `bid-too-low`: The amount is below the minimum next bid.
             *     - `bid-too-high`: The amount is above the maximum next bid, which `maximumBidIncrement` limits.
             *     - `buy-now-is-lower`: The amount is at or above the `buyNowPrice`, at which the auction can be bought.
             *     - `maximum-not-raised`: The bidder leads, and `maximumAmount` is below their current maximum or bid, or the same with an `amount` below the minimum next bid.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotStartedProblem"] | components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionCancelledProblem"] | components["schemas"]["OwnerCannotBidProblem"] | components["schemas"]["BidTooLowProblem"] | components["schemas"]["BidTooHighProblem"] | components["schemas"]["BuyNowIsLowerProblem"] | components["schemas"]["MaximumNotRaisedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readAuction: {
        parameters: {
            query?: {
                /** @description The `sequence` of an event, or any one up to the last: the auction as it was right after that. 0 is the auction as it was created. */
                at?: number;
            };
            header?: {
                /** @description Entity tags of cached responses. The server returns 304 if one is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The auction, with its current price, status and result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadAuctionSuccess"];
                };
            };
            /** @description The cached response is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    correctAuction: {
        parameters: {
            query?: never;
            header: {
                /** @description Makes retries safe: the same request with the same key takes effect only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Entity tags, one of which must be that of the resource, or `*` for any state of it. Weak tags never match. */
                "If-Match": components["parameters"]["IfMatch"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 3
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description Up to 64 KiB. */
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["CorrectAuctionRequest"];
            };
        };
        responses: {
            /** @description The auction was corrected. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrectAuctionSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `malformed-json`: The body is not valid JSON in UTF-8, or repeats a member name.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description - `forbidden`: The token lacks the permission, or does not identify the owner. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-ended`: The auction has ended: its time is over, or it was bought.
             *     - `auction-cancelled`: The auction was cancelled.
             *     - `auction-has-bids`: The auction has bids.
             *     - `too-many-corrections`: The auction was corrected 20 times.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionCancelledProblem"] | components["schemas"]["AuctionHasBidsProblem"] | components["schemas"]["TooManyCorrectionsProblem"];
                };
            };
            /** @description - `precondition-failed`: `If-Match` does not contain the entity tag that a read of the auction returns to this caller. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["PreconditionFailedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            /** @description - `precondition-required`: The request has no `If-Match`. */
            428: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["PreconditionRequiredProblem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readBid: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses. The server returns 304 if one is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The bid.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadBidSuccess"];
                };
            };
            /** @description The cached response is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestOrValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `bid-not-found`: The bid does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BidNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    listBids: {
        parameters: {
            query?: {
                /** @description The maximum number of items on the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is opaque. New items do not make a page skip or repeat an item. */
                cursor?: string;
            };
            header?: {
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of bids. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBidsSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    placeBidOnAuction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same request with the same key takes effect only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description Up to 4 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceBidOnAuctionRequest"];
            };
        };
        responses: {
            /** @description The bid was placed. `leaderId`, `youLead` and `yourMaximum` are those right after the bid, even in a repeated response. The price may be above `amount`: read the auction. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaceBidOnAuctionSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `malformed-json`: The body is not valid JSON in UTF-8, or repeats a member name.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-not-started`: The auction has not started.
             *     - `auction-ended`: The auction has ended: its time is over, or it was bought.
             *     - `auction-cancelled`: The auction was cancelled.
             *     - `owner-cannot-bid`: The bidder owns the auction.
             *     - `bid-too-low`: The amount is below the minimum next bid.
             *     - `bid-too-high`: The amount is above the maximum next bid, which `maximumBidIncrement` limits.
             *     - `buy-now-is-lower`: The amount is at or above the `buyNowPrice`, at which the auction can be bought.
             *     - `maximum-not-raised`: The bidder leads, and `maximumAmount` is below their current maximum or bid, or the same with an `amount` below the minimum next bid.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotStartedProblem"] | components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionCancelledProblem"] | components["schemas"]["OwnerCannotBidProblem"] | components["schemas"]["BidTooLowProblem"] | components["schemas"]["BidTooHighProblem"] | components["schemas"]["BuyNowIsLowerProblem"] | components["schemas"]["MaximumNotRaisedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this sequence; 0 is the beginning, from which a page starts by default. */
                after?: number;
                /** @description For a polyfill: the `id` of the last event that it has, or empty. It takes precedence over `after`. */
                lastEventId?: string;
                /** @description The maximum number of items on the page. */
                limit?: number;
            };
            header?: {
                /** @description For a stream: the `id` of the last event that the client has. It takes precedence over `lastEventId` and `after`. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, or the stream of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsSuccess"];
                    "text/event-stream": string;
                };
            };
            /** @description For a stream: the auction is over, and no event follows the position of the client. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    followAuctions: {
        parameters: {
            query: {
                /** @description The auctions: 1 to 100 different ids, separated by commas. */
                ids: string;
                /** @description Ignored, because the events have no `id`. Polyfills may send it. */
                lastEventId?: string;
            };
            header?: {
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The states, or the stream of states. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowAuctionsSuccess"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description - `bad-request`: The request is not valid HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    buyNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same request with the same key takes effect only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description Up to 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyNowRequest"];
            };
        };
        responses: {
            /** @description The auction was bought and has ended. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuyNowSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJsonOrValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-not-started`: The auction has not started.
             *     - `auction-ended`: The auction has ended, or another buyer was first.
             *     - `auction-cancelled`: The auction was cancelled.
             *     - `owner-cannot-buy`: The buyer owns the auction.
             *     - `buy-now-not-offered`: The auction has no buy-now price, or bids have ended the offer.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotStartedProblem"] | components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionCancelledProblem"] | components["schemas"]["OwnerCannotBuyProblem"] | components["schemas"]["BuyNowNotOfferedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    cancelAuction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same request with the same key takes effect only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 3
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description Up to 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelAuctionRequest"];
            };
        };
        responses: {
            /** @description The auction is cancelled. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelAuctionSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJsonOrValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            /** @description - `forbidden`: The token lacks the permission, or does not identify the owner. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - `auction-not-found`: The auction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-ended`: The auction has ended: its time is over, or it was bought.
             *     - `auction-has-bids`: The auction has bids and was created without `cancellableUntilEnd`. Callers with `Auctions.Cancel.Any` need a `reason`.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionHasBidsProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readLiveness: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server is running. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadLivenessSuccess"];
                };
            };
            400: components["responses"]["BadRequest"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request. The server replaces an invalid one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The W3C trace context. The server ignores an invalid one. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store responds and accepts writes, and the server is not shutting down. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadReadinessSuccess"];
                };
            };
            400: components["responses"]["BadRequest"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            /**
             * @description - `store-unavailable`: The store is not open yet, does not respond, or does not accept writes.
             *     - `overloaded`: The server is shutting down.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["OverloadedProblem"];
                };
            };
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    AuctionCreatedMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the event: the same in each attempt.
                 * @example evt_1_1
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description When the attempt was made, in seconds since 1970.
                 * @example 1896091200
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or two signatures, separated by a space: HMAC-SHA256 of `{id}.{timestamp}.{body}` in base64, after `v1,`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description UTF-8. The signature covers the bytes as they are. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuctionCreatedMessage"];
            };
        };
        responses: {
            /** @description Received. The response must end within 15 seconds and have at most 16 KiB. After any other response, another attempt follows; `Retry-After` is respected. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    AuctionBidMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the event: the same in each attempt.
                 * @example evt_1_1
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description When the attempt was made, in seconds since 1970.
                 * @example 1896091200
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or two signatures, separated by a space: HMAC-SHA256 of `{id}.{timestamp}.{body}` in base64, after `v1,`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description UTF-8. The signature covers the bytes as they are. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuctionBidMessage"];
            };
        };
        responses: {
            /** @description Received. The response must end within 15 seconds and have at most 16 KiB. After any other response, another attempt follows; `Retry-After` is respected. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    AuctionCorrectedMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the event: the same in each attempt.
                 * @example evt_1_1
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description When the attempt was made, in seconds since 1970.
                 * @example 1896091200
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or two signatures, separated by a space: HMAC-SHA256 of `{id}.{timestamp}.{body}` in base64, after `v1,`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description UTF-8. The signature covers the bytes as they are. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuctionCorrectedMessage"];
            };
        };
        responses: {
            /** @description Received. The response must end within 15 seconds and have at most 16 KiB. After any other response, another attempt follows; `Retry-After` is respected. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    AuctionEndedMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the event: the same in each attempt.
                 * @example evt_1_1
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description When the attempt was made, in seconds since 1970.
                 * @example 1896091200
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or two signatures, separated by a space: HMAC-SHA256 of `{id}.{timestamp}.{body}` in base64, after `v1,`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description UTF-8. The signature covers the bytes as they are. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuctionEndedMessage"];
            };
        };
        responses: {
            /** @description Received. The response must end within 15 seconds and have at most 16 KiB. After any other response, another attempt follows; `Retry-After` is respected. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
