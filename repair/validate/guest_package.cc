#include "repair/validate/guest_package.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace suture {
namespace fs = std::filesystem;

Result<GuestPackage> GuestPackage::make(std::string_view name) {
  TRY(TemporaryFolder folder, TemporaryFolder::make(fmt::format("suture-{}-", name)));
  GuestPackage guest(share_folder(name), std::move(folder));
  // The run may be another user's; the folder around this one stays closed to everybody else.
  std::error_code ec;
  if (!fs::create_directory(guest.out_, ec))
    return fail(ErrorKind::kInfra, "cannot make " + guest.out_.string());
  fs::permissions(guest.out_, fs::perms::all, ec);
  return guest;
}

void GuestPackage::join(RunRequest* request) const {
  request->python_path.insert(request->python_path.begin(), package_.string());
  request->mounts.push_back({package_.string(), package_.string(), Mount::Access::kRead});
  request->mounts.push_back({out_.string(), out_.string(), Mount::Access::kWrite});
}

}  // namespace suture
