// Made by openapi-typescript from the OpenAPI document: "npx -y pnpm@12 docs:reference" writes it anew.

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
         * @description Lists the newest auctions first, or those with the earliest end. New auctions do not make a page skip or repeat an auction. The service reads a limited number of auctions per page, so a short page may have a `nextCursor`.
         *
         *     Permission: `Auctions.Read` (any valid token may, unless `PERMISSIONS_AUCTIONS_READ` is set).
         */
        get: operations["listAuctions"];
        put?: never;
        /**
         * Create an auction
         * @description The response always has the status `Pending`. `softClose`, `reservePrice`, `buyNowPrice` and `cancellableUntilEnd` are optional features.
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
        get?: never;
        put?: never;
        /**
         * Place a bid
         * @description Places a bid of at least the `minimumNextBid` on an open auction. The owner of an auction cannot bid on it. The leader may raise their own bid.
         *
         *     With a `maximumAmount`, the service bids for the bidder when others bid (proxy bidding): the lowest amount that leads, up to the maximum. The higher of two maximums leads; of equal maximums, the earlier. If the leader sends a higher `maximumAmount`, only their maximum changes, unless it covers an unmet reserve: then the service bids the reserve.
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
         * @description Returns the current state. A read after a 201 includes its effect.
         *
         *     Permission: `Auctions.Read` (any valid token may, unless `PERMISSIONS_AUCTIONS_READ` is set).
         */
        get: operations["readAuction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         *     Permission: `Bids.Read` (any valid token may, unless `PERMISSIONS_BIDS_READ` is set).
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
         * @description Lists the newest bids first. New bids do not make a page skip or repeat a bid.
         *
         *     Permission: `Bids.Read` (any valid token may, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["listBids"];
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
         * Buy at once
         * @description Buys the product for the `buyNowPrice` and ends the auction. The offer is open from the start until the first bid or, with a reserve, until the reserve is met; see `buyNowOffered`. Only the first buyer succeeds; others receive `auction-ended`. A bid of the same amount does not buy.
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
         * @description Cancels an auction before its first bid, or before its end if it was created with `cancellableUntilEnd`. If callers are bound to users, only the owner can cancel. Cancelling a cancelled auction changes nothing, keeps the first reason, and returns 201. The body is optional.
         *
         *     Permission: `Auctions.Cancel` (`{SERVICE_NAME}:Auctions:Cancel`, unless `PERMISSIONS_AUCTIONS_CANCEL` is set).
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
export type webhooks = Record<string, never>;
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
            /** @description The minimum increase over the previous bid, except for automatic bids. */
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
            /** @description The lowest price that sells. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean;
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
            /** @description The minimum increase over the previous bid, except for automatic bids. */
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
            /** @description The lowest price that sells. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean;
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            /** @description The highest bid, or the starting price if the auction has no bids. */
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer; null if no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description The number of bids, including automatic bids. */
            bidCount: number;
            /**
             * Format: date-time
             * @description With a soft close: the end, including extensions so far.
             */
            effectiveEndTime?: string;
            /** @description With a reserve: whether the highest bid meets it. */
            reserveMet?: boolean;
            /** @description With a buy-now price: whether the offer is open. */
            buyNowOffered?: boolean;
            /** @description Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes. */
            result: components["schemas"]["AuctionResult"] | null;
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
            /** @description The minimum increase over the previous bid, except for automatic bids. */
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
            /** @description The lowest price that sells. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean;
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            /** @description The highest bid, or the starting price if the auction has no bids. */
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer; null if no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description The number of bids, including automatic bids. */
            bidCount: number;
            /**
             * Format: date-time
             * @description With a soft close: the end, including extensions so far.
             */
            effectiveEndTime?: string;
            /** @description With a reserve: whether the highest bid meets it. */
            reserveMet?: boolean;
            /** @description With a buy-now price: whether the offer is open. */
            buyNowOffered?: boolean;
            /** @description Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes. */
            result: components["schemas"]["AuctionResult"] | null;
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
            /** @description The bidder of the winning bid. */
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
            /** @description The user who bought it. */
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
        Bid: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The auction to bid on. */
            auctionId: number;
            /** @description The user who bids. */
            bidderId: number;
            /** @description In the currency of the auction. With `raisesMaximum`, the current bid of the leader. */
            amount: number;
            /**
             * Format: date-time
             * @description When the bid was recorded, in UTC.
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
        FieldError: {
            /** @description JSON Pointer (RFC 6901) to the field, parameter or header. `""` is the whole body. */
            pointer: string;
            /** @description The rule that the value breaks. */
            message: string;
        };
        CreateAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["Auction"];
        };
        PlaceBidSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["Bid"];
        };
        ReadAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        ListAuctionsSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: {
                items: components["schemas"]["AuctionListItem"][];
                /** @description The `cursor` of the next page; null on the last page. A page before the last may be short. */
                nextCursor: string | null;
            };
        };
        ReadBidSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["Bid"];
        };
        ListBidsSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: {
                items: components["schemas"]["Bid"][];
                /** @description The `cursor` of the next page; null on the last page. A page before the last may be short. */
                nextCursor: string | null;
            };
        };
        BuyNowSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        CancelAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        ReadLivenessSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: Record<string, never>;
        };
        ReadReadinessSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: Record<string, never>;
        };
        BadRequestProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 400;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "bad-request";
        };
        MalformedJsonProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:malformed-json";
            /** @constant */
            title: "Malformed JSON";
            /** @constant */
            status: 400;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "malformed-json";
        };
        ValidationFailedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:validation-failed";
            /** @constant */
            title: "Validation failed";
            /** @constant */
            status: 400;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
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
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:unauthenticated";
            /** @constant */
            title: "Unauthenticated";
            /** @constant */
            status: 401;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "unauthenticated";
        };
        ForbiddenProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:forbidden";
            /** @constant */
            title: "Forbidden";
            /** @constant */
            status: 403;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "forbidden";
        };
        NotFoundProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:not-found";
            /** @constant */
            title: "Not found";
            /** @constant */
            status: 404;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "not-found";
        };
        AuctionNotFoundProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-not-found";
            /** @constant */
            title: "Auction not found";
            /** @constant */
            status: 404;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "auction-not-found";
        };
        BidNotFoundProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bid-not-found";
            /** @constant */
            title: "Bid not found";
            /** @constant */
            status: 404;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "bid-not-found";
        };
        MethodNotAllowedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:method-not-allowed";
            /** @constant */
            title: "Method not allowed";
            /** @constant */
            status: 405;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "method-not-allowed";
        };
        RequestTimeoutProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 408;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "bad-request";
        };
        AuctionNotStartedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-not-started";
            /** @constant */
            title: "Auction not started";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-not-started";
            /** Format: date-time */
            startTime: string;
        };
        AuctionEndedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-ended";
            /** @constant */
            title: "Auction ended";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
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
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-cancelled";
            /** @constant */
            title: "Auction cancelled";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-cancelled";
        };
        AuctionHasBidsProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-has-bids";
            /** @constant */
            title: "Auction has bids";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-has-bids";
        };
        OwnerCannotBidProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:owner-cannot-bid";
            /** @constant */
            title: "Owner cannot bid";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "owner-cannot-bid";
        };
        BidTooLowProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bid-too-low";
            /** @constant */
            title: "Bid too low";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "bid-too-low";
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer; null if no higher bid is possible. */
            minimumNextBid: number | null;
            currency: string;
        };
        MaximumNotRaisedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:maximum-not-raised";
            /** @constant */
            title: "Maximum not raised";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "maximum-not-raised";
        };
        OwnerCannotBuyProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:owner-cannot-buy";
            /** @constant */
            title: "Owner cannot buy";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "owner-cannot-buy";
        };
        BuyNowNotOfferedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:buy-now-not-offered";
            /** @constant */
            title: "Buy now not offered";
            /** @constant */
            status: 409;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "buy-now-not-offered";
            currentPrice: number;
            /** @description The lowest amount that the next bid may offer; null if no higher bid is possible. */
            minimumNextBid: number | null;
            currency: string;
        };
        PayloadTooLargeProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:payload-too-large";
            /** @constant */
            title: "Payload too large";
            /** @constant */
            status: 413;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "payload-too-large";
        };
        UnsupportedMediaTypeProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:unsupported-media-type";
            /** @constant */
            title: "Unsupported media type";
            /** @constant */
            status: 415;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "unsupported-media-type";
        };
        IdempotencyKeyReusedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:idempotency-key-reused";
            /** @constant */
            title: "Idempotency key reused";
            /** @constant */
            status: 422;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "idempotency-key-reused";
        };
        RateLimitedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:rate-limited";
            /** @constant */
            title: "Rate limited";
            /** @constant */
            status: 429;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "rate-limited";
        };
        HeadersTooLargeProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 431;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "bad-request";
        };
        InternalProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:internal";
            /** @constant */
            title: "Internal error";
            /** @constant */
            status: 500;
            /**
             * @description For programs. Codes are stable.
             * @constant
             */
            code: "internal";
            requestId: string;
        };
        StoreUnavailableProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:store-unavailable";
            /** @constant */
            title: "Store unavailable";
            /** @constant */
            status: 503;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "store-unavailable";
        };
        IssuerUnavailableProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:issuer-unavailable";
            /** @constant */
            title: "Issuer unavailable";
            /** @constant */
            status: 503;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "issuer-unavailable";
        };
        OverloadedProblem: {
            /** @constant */
            success: false;
            /** @description For people. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:overloaded";
            /** @constant */
            title: "Overloaded";
            /** @constant */
            status: 503;
            /**
             * @description For programs. Codes are stable. (enum property replaced by openapi-typescript)
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
            /** @description The minimum increase over the previous bid, except for automatic bids. */
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
            /** @description The lowest price that sells; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`. */
            reservePrice?: number | null;
            /** @description The price of an immediate purchase; above `startingPrice` and `reservePrice`. */
            buyNowPrice?: number | null;
            /** @description Whether the auction can be cancelled after bids. */
            cancellableUntilEnd?: boolean | null;
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
            readonly bidCount?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly result?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly effectiveEndTime?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly reserveMet?: unknown;
            /** @description Assigned by the service; ignored in requests. */
            readonly buyNowOffered?: unknown;
        };
        PlaceBidRequest: {
            /** @description The auction to bid on. */
            auctionId: number;
            /** @description The user who bids. */
            bidderId: number;
            /** @description The amount in the currency of the auction: at least `minimumNextBid`, unless the leader sends a `maximumAmount`. */
            amount: number;
            /** @description The limit up to which the service bids for the bidder; at least `amount`. Visible only to the bidder. */
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
        };
        BuyNowRequest: {
            /** @description The user who buys, who must not be the owner. */
            buyerId: number;
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
        /** @description - `bad-request`: The request takes too long to arrive. */
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
        /** @description - `unsupported-media-type`: The body is not `application/json`, or is compressed. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Accept: components["headers"]["Accept"];
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description - `rate-limited`: The caller exceeded the rate limit. */
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
        /** @description An id for this request. The server replaces an invalid one. */
        RequestId: string;
        /** @description The W3C trace context. The server ignores an invalid one. */
        TraceParent: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request in the log: the id that the client sent, if valid. */
        "X-Request-Id": string;
        /** @description The URL of the created resource. */
        Location: string;
        /** @description The entity tag of the response, for `If-None-Match`. */
        ETag: string;
        /** @description The quota of the caller and its window in seconds, for example `"default";q=300;w=60`. */
        "RateLimit-Policy": string;
        /** @description The remaining quota and the seconds until it resets, for example `"default";r=299;t=60`. */
        RateLimit: string;
        /** @description The seconds to wait before the next request. */
        "Retry-After": number;
        /** @description The error of the token (RFC 6750, section 3). */
        "WWW-Authenticate": string;
        /** @description The supported media type. */
        Accept: string;
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
                /** @description The maximum number of items on the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is opaque. */
                cursor?: string;
                /** @description Only auctions with this status. */
                status?: "Pending" | "Active" | "Ended" | "Cancelled";
                /** @description Only auctions of this owner. */
                ownerId?: number;
                /** @description Only auctions of this product. */
                productId?: number;
                /** @description Lists the auctions with the earliest end first. Requires `status=Active`. Pages follow `endTime` until a few seconds after it, and then the extended end. An auction that a soft close extends may therefore appear again on a later page. */
                sort?: "endTime";
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
            /** @description The bid was placed. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
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
             *     - `maximum-not-raised`: The bidder leads, and `maximumAmount` is not above their current maximum or bid.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotStartedProblem"] | components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionCancelledProblem"] | components["schemas"]["OwnerCannotBidProblem"] | components["schemas"]["BidTooLowProblem"] | components["schemas"]["MaximumNotRaisedProblem"];
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
                /** @description The `nextCursor` of the previous page. It is opaque. */
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
             *     - `auction-has-bids`: The auction has bids and was created without `cancellableUntilEnd`.
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
}
