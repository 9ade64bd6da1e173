import java.util.Arrays;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AuctionsApi;
import org.openapitools.client.api.BidsApi;
import org.openapitools.client.model.AuctionView;
import org.openapitools.client.model.BuyNowRequest;
import org.openapitools.client.model.CreateAuctionRequest;
import org.openapitools.client.model.PlaceBidRequest;

/**
 * Creates an auction, bids 1,234,567.89 as user 5,000,000,000, which is below the reserve, and lets another user buy it. Prints a JSON
 * array: the result before and the price after the bid, the leader, and the price of the purchase.
 *
 * <p>Arguments: the address of the service, a token, and the start and the end of the auction.
 */
public final class PlaceBid {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + arguments[1]));
    AuctionsApi auctions = new AuctionsApi(client);

    CreateAuctionRequest auction =
        new CreateAuctionRequest()
            .productId(7L)
            .ownerId(1L)
            .startingPrice(100.0)
            .minimumBidIncrement(0.01)
            .reservePrice(2000000.0)
            .buyNowPrice(20000000.01)
            .currency("USD")
            .startTime(arguments[2])
            .endTime(arguments[3]);
    long id = auctions.createAuction(auction, key(), null, null).getData().getId();
    AuctionView before = auctions.readAuction(id, null, null, null, null).getData();

    PlaceBidRequest bid = new PlaceBidRequest().auctionId(id).bidderId(5_000_000_000L).amount(1234567.89);
    new BidsApi(client).placeBid(bid, key(), null, null);
    AuctionView after = auctions.readAuction(id, null, null, null, null).getData();

    auctions.buyNow(id, new BuyNowRequest().buyerId(3L), key(), null, null);
    AuctionView bought = auctions.readAuction(id, null, null, null, null).getData();

    Double price = bought.getResult().getBought().getPrice();
    System.out.println(Arrays.asList(before.getResult(), after.getCurrentPrice(), after.getLeaderId(), price));
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }
}
